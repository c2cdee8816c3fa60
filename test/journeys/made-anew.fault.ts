import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { hourMs, minuteMs } from '../../shared/time.ts'
import { metaError } from '../platforms/meta-error.ts'
import { connectOn } from '../support/connect.ts'
import { type Kit, start } from '../support/start.ts'
import { uploadJpeg } from './upload-file.ts'

type Refusal = ReturnType<typeof metaError>

let kit: Kit
const accounts: Record<string, string> = {}
/** Instagram shows no container. */
let isUnseen = false
/** A platform that refuses to publish the first container that is made from now on, and no other one. */
let stuck: { platform: string; action: string; refusal: Refusal; madeBefore: number } | undefined

const callsOf = (platform: string, operation: string) =>
  kit.platforms.calls().filter((call) => call.platform === platform && call.operation === operation)

beforeAll(async () => {
  kit = await start({
    observe({ service, action }, run) {
      if (stuck?.platform === service && stuck.action === action) {
        const made = callsOf(service, 'upload').length - stuck.madeBefore
        if (made === 1) kit.platforms.faults.add({ platform: service, operation: 'create', times: 1, ...stuck.refusal })
      }
      if (isUnseen && service === 'instagram' && action === 'GET /{container}')
        kit.platforms.faults.add({ platform: service, operation: 'status', times: 1, ...metaError(100, 33) })
      return run()
    },
  })
  for (const platform of ['threads', 'instagram'] as const) accounts[platform] = await connectOn(kit, platform)
}, 240_000)
afterAll(() => kit.close())
beforeEach(() => {
  stuck = undefined
  isUnseen = false
})
afterEach(() => kit.platforms.faults.clear())

const publishing = { threads: 'POST /{user}/threads_publish', instagram: 'POST /{user}/media_publish' }
type Platform = keyof typeof publishing

const refuseFirst = (platform: Platform, refusal: Refusal) => {
  const madeBefore = callsOf(platform, 'upload').length
  stuck = { platform, action: publishing[platform], refusal, madeBefore }
}

const schedule = async (platform: Platform, content: string, more: object = {}) => {
  const dueMs = kit.clock.now() + 5 * minuteMs
  const body = {
    socialAccountIds: [accounts[platform] ?? ''],
    content,
    scheduledAt: new Date(dueMs).toISOString(),
    metadata: { instagram: { format: 'feed_image' as const } },
    ...more,
  }
  const [{ id = '' } = {}] = await kit.api.posts.schedule({ body })
  return { id, dueMs }
}

const liveWith = (text: string) => kit.platforms.published().filter((post) => post.text === text)

/** The containers that were sent to a platform for publication since a call. */
const publishedContainers = (platform: Platform, since: number) =>
  callsOf(platform, 'create')
    .slice(since)
    .map(({ body }) => new URLSearchParams(String(body)).get('creation_id'))

const notFound = metaError(24, 4279009)
const cases: [string, Platform, Refusal, boolean][] = [
  ['a text on Threads', 'threads', notFound, false],
  ['a picture on Threads', 'threads', notFound, true],
  ['a picture on Instagram', 'instagram', metaError(9007, 2207027), true],
]

test.each(cases)('%s: a container that is never published is made anew after two refusals', async (...one) => {
  const [name, platform, refusal, withMedia] = one
  const text = `${name}, made anew`
  const mediaUrls = withMedia ? [await uploadJpeg(kit)] : []
  const since = callsOf(platform, 'create').length
  refuseFirst(platform, refusal)
  const { id, dueMs } = await schedule(platform, text, { mediaUrls })
  await kit.service.pass(5 * minuteMs + 2 * minuteMs)
  expect(await kit.api.posts.get({ params: { id } })).toMatchObject({ status: 'published' })
  const [live, ...more] = liveWith(text)
  expect(more).toEqual([])
  expect((live?.publishedAt ?? Number.NaN) - dueMs).toBeLessThan(2 * minuteMs)
  const containers = publishedContainers(platform, since)
  expect(new Set(containers).size).toBe(2)
  expect(containers.length).toBeLessThanOrEqual(3)
})

test('a reply in a thread and a first comment on Threads: so is their container', async () => {
  const first = 'The first of a thread'
  const tweets = [{ content: first }, { content: 'The second of a thread' }]
  const scheduledAt = new Date(kit.clock.now() + 5 * minuteMs).toISOString()
  const body = { socialAccountId: accounts['threads'] ?? '', tweets, scheduledAt }
  await kit.api.posts.scheduleThread({ body })
  while (liveWith(first).length === 0) await kit.service.pass(1_000)
  refuseFirst('threads', notFound)
  await kit.service.pass(3 * minuteMs)
  expect(liveWith('The second of a thread')).toMatchObject([{ replyTo: liveWith(first)[0]?.url }])

  const comment = { text: 'A comment, made anew', delaySeconds: 60 }
  const { id } = await schedule('threads', 'With a comment', { firstComment: comment })
  await kit.service.pass(5 * minuteMs + 30_000)
  refuseFirst('threads', notFound)
  await kit.service.pass(4 * minuteMs)
  expect(await kit.api.posts.get({ params: { id } })).toMatchObject({ firstComment: { status: 'published' } })
  expect(liveWith(comment.text)).toHaveLength(1)
})

test('a container that Instagram does not show is published without its status', async () => {
  const text = 'Never shown'
  const mediaUrls = [await uploadJpeg(kit)]
  const { id, dueMs } = await schedule('instagram', text, { mediaUrls })
  isUnseen = true
  await kit.service.pass(7 * minuteMs)
  expect(await kit.api.posts.get({ params: { id } })).toMatchObject({ status: 'published' })
  expect(liveWith(text).map(({ publishedAt }) => publishedAt - dueMs < minuteMs)).toEqual([true])
})

test('one that is not shown, and whose publication was not answered, is found among the posts', async () => {
  const text = 'Never shown, never answered'
  const mediaUrls = [await uploadJpeg(kit)]
  const { id } = await schedule('instagram', text, { mediaUrls })
  isUnseen = true
  kit.platforms.faults.add({ platform: 'instagram', operation: 'create', times: 1, fault: 'landed_then_reset' })
  await kit.service.pass(hourMs)
  expect(liveWith(text)).toHaveLength(1)
  const { items } = await kit.api.posts.listAttempts({ params: { id } })
  expect(items).toMatchObject([{ outcome: 'published', settledByLookup: true }])
})
