import { afterAll, beforeAll, expect, test } from 'vitest'
import { minuteMs } from '../../../shared/time.ts'
import { channelId, eventsOf, listen, liveCount, scheduleOn } from '../../journeys/author.ts'
import { uploadPng } from '../../journeys/upload.ts'
import { connectOn } from '../../support/connect.ts'
import { type Kit, start } from '../../support/start.ts'

let kit: Kit
/** The number of calls to the Scheduler. */
let schedules = 0

beforeAll(async () => {
  kit = await start({
    observe: (effect, run) => {
      if (effect.action === 'CreateSchedule') schedules += 1
      return run()
    },
  })
  await listen(kit)
  const url = `${kit.service.inboxUrl}/hooks/updates`
  await kit.sessionApi.webhooks.create({ body: { name: 'updates', url, events: ['post.updated'] } })
})
afterAll(() => kit.close())

type Body = Parameters<typeof kit.api.posts.update>[0]['body']

const shown = (id: string) => kit.api.posts.get({ params: { id } })
const change = (id: string, body: NonNullable<Body>, ifMatch?: string) =>
  kit.api.posts.update({ params: { id }, body, ...(ifMatch === undefined ? {} : { ifMatch }) })
const at = (inMs: number) => new Date(kit.clock.now() + inMs).toISOString()
const refused = (call: Promise<unknown>) =>
  call.then(
    () => ({ status: 200 }),
    ({ status, body }) => ({ status, code: body.code, field: body.field, error: body.error }),
  )

test('each field changes alone, and the others keep their values', async () => {
  const { id } = await scheduleOn(kit, 'discord', 'first words', 60 * minuteMs)
  const first = await shown(id)
  const picture = await uploadPng(kit)
  const text = await change(id, { content: 'other words' })
  expect(text).toEqual({ ...first, content: 'other words', version: 3 })
  const media = await change(id, { mediaUrls: [picture.id] })
  expect(media).toEqual({ ...text, mediaUrls: [picture.id], version: 4 })
  const own = await change(id, { externalId: 'order-7' })
  expect(own).toEqual({ ...media, externalId: 'order-7', version: 5 })
  const metadata = { discord: { channelId, username: 'The bakery' } }
  const block = await change(id, { metadata })
  expect(block).toEqual({ ...own, metadata, version: 6 })
  const scheduledAt = at(90 * minuteMs)
  const moved = await change(id, { scheduledAt })
  expect(moved).toEqual({ ...block, scheduledAt, plannedAt: scheduledAt, version: 7 })
  const cleared = await change(id, { mediaUrls: null, externalId: null })
  expect(cleared).toEqual({ ...moved, mediaUrls: [], externalId: null, version: 8 })
  expect(await shown(id)).toEqual(cleared)
  await kit.service.pass(91 * minuteMs)
  expect(liveCount(kit, 'other words')).toBe(1)
  expect(liveCount(kit, 'first words')).toBe(0)
  const events = eventsOf(kit, id).map(({ type, data }) => [type, data['changedFields'], data['sequence']])
  expect(events).toEqual([
    ['post.scheduled', undefined, 1],
    ['post.updated', ['content'], 2],
    ['post.updated', ['mediaUrls'], 3],
    ['post.updated', ['externalId'], 4],
    ['post.updated', ['metadata'], 5],
    ['post.rescheduled', undefined, 6],
    ['post.updated', ['mediaUrls', 'externalId'], 7],
    ['post.published', undefined, 8],
  ])
})

test('equal values and an empty body change nothing and send no event', async () => {
  const { id } = await scheduleOn(kit, 'bluesky', 'the same', 60 * minuteMs)
  const before = await shown(id)
  const { content, scheduledAt, mediaUrls, externalId, metadata } = before
  const whole = { content, mediaUrls, externalId, metadata, ...(scheduledAt === null ? {} : { scheduledAt }) }
  expect(await change(id, {})).toEqual(before)
  expect(await change(id, whole)).toEqual(before)
  await kit.service.drain()
  expect(eventsOf(kit, id)).toHaveLength(1)
})

test('exactly one of two editors with the same ETag changes the post; the status is part of the version', async () => {
  const { id } = await scheduleOn(kit, 'bluesky', 'two editors', 5 * minuteMs)
  const answers = await Promise.all(['one', 'two'].map((content) => refused(change(id, { content }, '"2"'))))
  const codes = answers.map((answer) => ('code' in answer ? `${answer.status} ${answer.code}` : `${answer.status}`))
  expect(codes.sort()).toEqual(['200', '412 post_changed'])
  const lost = answers.find(({ status }) => status === 412)
  expect(lost).toMatchObject({ field: 'If-Match', error: expect.stringContaining('is now "3"') })
  await change(id, { content: 'current' }, '"3"')
  await change(id, { content: 'any' }, '*')
  const { version } = await shown(id)
  await kit.service.pass(6 * minuteMs)
  expect((await shown(id)).version).toBe(version + 1)
  expect(await refused(change(id, { scheduledAt: at(minuteMs) }, `"${version}"`))).toMatchObject({ status: 412 })
})

test('the schedule is made again only for another time', async () => {
  const { id } = await scheduleOn(kit, 'bluesky', 'one schedule', 60 * minuteMs)
  const before = schedules
  await change(id, { content: 'still one schedule' })
  expect(schedules).toBe(before)
  await change(id, { scheduledAt: at(70 * minuteMs) })
  expect(schedules).toBe(before + 1)
  // The schedule of the first time, and then of the second, find the current post.
  await kit.service.pass(75 * minuteMs)
  expect(liveCount(kit, 'still one schedule')).toBe(1)
  const { publishedAt, plannedAt } = await shown(id)
  expect(Date.parse(publishedAt ?? '') - Date.parse(plannedAt)).toBeLessThan(1_000)
})

test.each([
  3_000,
  30_000,
  5 * minuteMs,
  13 * minuteMs,
])('a text that changes %i ms before its time is published in its new version, once', async (beforeMs) => {
  const text = `late change ${beforeMs}`
  const { id } = await scheduleOn(kit, 'bluesky', 'too early', 60 * minuteMs)
  await kit.service.pass(60 * minuteMs - beforeMs)
  await change(id, { content: text })
  await kit.service.pass(beforeMs + 2 * minuteMs)
  expect([liveCount(kit, text), liveCount(kit, 'too early')]).toEqual([1, 0])
  const [attempt, ...others] = (await kit.api.posts.listAttempts({ params: { id } })).items
  expect(others).toEqual([])
  expect(attempt?.latenessMs).toBeLessThan(2_000)
})

test('the rules of the platform hold for the whole post, and nothing is stored otherwise', async () => {
  const { id } = await scheduleOn(kit, 'bluesky', 'short enough', 60 * minuteMs)
  const before = await shown(id)
  expect(await refused(change(id, { content: 'a'.repeat(301) }))).toMatchObject({ status: 400, code: 'content_length' })
  expect(await refused(change(id, { content: '' }))).toMatchObject({ status: 400, code: 'content_empty' })
  const missing = { status: 404, code: 'media_not_found' }
  expect(await refused(change(id, { mediaUrls: ['med_01K9ZJ2M4D7F1G8H5J3K6L9N0P'] }))).toMatchObject(missing)
  expect(await refused(change(id, { scheduledAt: at(-1_000) }))).toMatchObject({ status: 400, field: 'scheduledAt' })
  expect(await refused(change(id, { text: 'x' } as object))).toMatchObject({ status: 400 })
  const { id: onDiscord } = await scheduleOn(kit, 'discord', 'a channel is needed', 60 * minuteMs)
  expect(await refused(change(onDiscord, { metadata: null }))).toMatchObject({ status: 400, code: 'metadata_required' })
  expect(await shown(id)).toEqual(before)
})

test('a failed post needs a new time, and takes new text with it', async () => {
  const { id } = await scheduleOn(kit, 'bluesky', 'refused', 5 * minuteMs)
  kit.platforms.faults.add({ platform: 'bluesky', operation: 'create', times: 1, fault: 'status', status: 400 })
  await kit.service.pass(6 * minuteMs)
  expect(await refused(change(id, { content: 'better' }))).toEqual({
    status: 400,
    code: 'invalid_post_status',
    field: 'scheduledAt',
    error: 'The post has failed. Send "scheduledAt" as well: when to publish it again.',
  })
  const after = await change(id, { content: 'better', scheduledAt: at(5 * minuteMs) })
  expect(after).toMatchObject({ status: 'scheduled', failure: null, error: null })
  await kit.service.pass(6 * minuteMs)
  expect(liveCount(kit, 'better')).toBe(1)
  const { items } = await kit.api.posts.listAttempts({ params: { id } })
  expect(items.map(({ outcome }) => outcome)).toEqual(['failed', 'published'])
})

test('a published, a cancelled, and a missing post cannot be changed', async () => {
  const { id } = await scheduleOn(kit, 'bluesky', 'gone live', minuteMs)
  await kit.service.pass(2 * minuteMs)
  const wrong = { status: 400, code: 'invalid_post_status' }
  expect(await refused(change(id, { content: 'no' }))).toMatchObject(wrong)
  expect(await refused(change(id, { scheduledAt: at(minuteMs) }))).toMatchObject(wrong)
  const { id: other } = await scheduleOn(kit, 'bluesky', 'called off', 60 * minuteMs)
  await kit.api.posts.cancel({ params: { id: other } })
  expect(await refused(change(other, { content: 'no' }))).toMatchObject(wrong)
  expect(await refused(change('01KAJ2K6C8E0G2J4M6P8S0V2X400', { content: 'no' }))).toMatchObject({ status: 404 })
})

test('natural posting keeps its minute when only the text changes', async () => {
  const body = { socialAccountIds: [kit.accounts.bluesky], content: 'naturally', naturalPosting: true }
  const [post] = await kit.api.posts.schedule({ body: { ...body, scheduledAt: at(60 * minuteMs) } })
  const after = await change(post?.id ?? '', { content: 'naturally so' })
  expect(after.plannedAt).toBe(post?.plannedAt)
})

test('any tweet of a thread changes alone; its time moves the thread and goes to the first tweet', async () => {
  const socialAccountId = await connectOn(kit, 'x')
  const tweets = ['one', 'two', 'three'].map((content) => ({ content }))
  const { postIds } = await kit.api.posts.scheduleThread({
    body: { socialAccountId, tweets, scheduledAt: at(30 * minuteMs) },
  })
  const [head = '', second = ''] = postIds
  await change(second, { content: 'two, corrected' })
  const later = { status: 400, code: 'not_thread_head' }
  expect(await refused(change(second, { scheduledAt: at(40 * minuteMs) }))).toMatchObject(later)
  await change(head, { content: 'one, corrected', scheduledAt: at(40 * minuteMs) })
  const used = (await kit.api.posts.xCapUsage()).used
  await kit.service.pass(41 * minuteMs)
  const live = kit.platforms.published().filter(({ platform }) => platform === 'x')
  expect(live.map(({ text }) => text)).toEqual(['one, corrected', 'two, corrected', 'three'])
  expect(live.map(({ replyTo }) => replyTo)).toEqual([null, live[0]?.url, live[1]?.url])
  expect((await kit.api.posts.xCapUsage()).used).toBe(used)
})
