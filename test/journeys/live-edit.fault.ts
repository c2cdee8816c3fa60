import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { pinterestSeed } from '../../infra/local/platforms/pinterest.ts'
import { adapterOf } from '../../shared/platforms/adapters.ts'
import { livePosts } from '../../shared/platforms/registry/live-posts.ts'
import { type PlatformId, platformIds } from '../../shared/resources.ts'
import { hourMs, minuteMs } from '../../shared/time.ts'
import { type Kit, start } from '../support/start.ts'
import { channelId, eventsOf } from './author.ts'
import type { Draft } from './faults/column.ts'
import { openLivePosts, pinOf } from './live-posts.ts'
import { dyingAtEffect, makeTrouble } from './trouble.ts'
import { uploadPng } from './upload.ts'

const editable = platformIds.filter((id) => typeof livePosts[id].edit !== 'string')

const seam = makeTrouble()
let kit: Kit
let live: Awaited<ReturnType<typeof openLivePosts>>
beforeAll(async () => {
  kit = await start({ observe: seam.observe })
  live = await openLivePosts(kit, [...editable, 'bluesky'], ['post.live_edited', 'post.live_edit_failed'])
}, 120_000)
afterAll(() => kit.close())
afterEach(() => {
  seam.end()
  kit.platforms.faults.clear()
})

type Body = NonNullable<Parameters<Kit['api']['posts']['update']>[0]['body']>

const get = (id: string) => kit.api.posts.get({ params: { id } })
const edit = (id: string, body: Body) => kit.api.posts.update({ params: { id }, query: { live: 'true' }, body })
const typesOf = (id: string) => eventsOf(kit, id).map(({ type }) => type)
const edits = (platform: PlatformId) =>
  kit.platforms.calls().filter((call) => call.platform === platform && call.operation === 'edit').length
const textsOn = (platform: PlatformId) =>
  kit.platforms
    .published()
    .filter((post) => post.platform === platform)
    // A Pin is shown with its title.
    .map(({ text }) => text.split('\n').at(-1) ?? '')

let count = 0
const nextText = () => {
  count += 1
  return `A text of its own, number ${count}.`
}

/** A post that is live; its id and its text. */
const publish = async (platform: PlatformId, more: Partial<Draft> = {}) => {
  const text = nextText()
  const id = await live.publish(platform, text, more)
  expect(await get(id)).toMatchObject({ status: 'published', liveEditedAt: null, liveEditError: null })
  return { id, text }
}

/** What an edit with a text sends; a Pin has its text in the metadata. */
const saying = (platform: PlatformId, text: string): Body => {
  if (platform !== 'pinterest') return { content: text }
  return { metadata: pinOf(text) }
}

/** What a post says on its platform. */
const liveTextOf = async (id: string) => {
  const { content, metadata, platform } = await get(id)
  return platform === 'pinterest' ? Object(metadata?.['pinterest']).description : content
}

test.each(
  editable,
)('%s: a live post is edited there, its record follows, and an event reports it', async (platform) => {
  const { id, text } = await publish(platform)
  const next = nextText()
  const edited = await edit(id, saying(platform, next))
  expect(edited).toMatchObject({ id, liveEdit: 'pending', liveEditedAt: null })
  expect(await liveTextOf(id)).toBe(text)
  await kit.service.pass(minuteMs)
  expect(textsOn(platform)).toContain(next)
  expect(textsOn(platform)).not.toContain(text)
  const post = await get(id)
  expect(post).toMatchObject({ status: 'published', liveEditError: null })
  expect(await liveTextOf(id)).toBe(next)
  expect(post.liveEditedAt).toEqual(expect.any(String))
  expect(post.version).toBe(edited.version + 1)
  expect(eventsOf(kit, id)).toMatchObject([
    { type: 'post.live_edited', data: { content: post.content, liveEditedAt: post.liveEditedAt } },
  ])
  expect(await edit(id, saying(platform, next))).toMatchObject({ liveEdit: 'done' })
  await kit.service.pass(minuteMs)
  expect(typesOf(id)).toEqual(['post.live_edited'])
})

test.each(
  editable,
)('%s: after a lost response the edit is retried, whether or not it took effect', async (platform) => {
  for (const fault of ['landed_then_reset', 'html_503'] as const) {
    const { id, text } = await publish(platform)
    const next = nextText()
    const before = edits(platform)
    kit.platforms.faults.add({ platform, operation: 'edit', times: 1, fault })
    await edit(id, saying(platform, next))
    await kit.service.pass(2 * minuteMs)
    expect(edits(platform) - before).toBe(2)
    expect(textsOn(platform)).toContain(next)
    expect(textsOn(platform)).not.toContain(text)
    expect([typesOf(id), await liveTextOf(id)]).toEqual([['post.live_edited'], next])
  }
})

/** What the publisher does to edit a post: claim, read, call, commit, and what stands between them. */
const steps = 5

test.each([
  'before',
  'after',
] as const)('a publisher that dies %s any of its effects is followed by another', async (side) => {
  for (let step = 0; step < steps; step += 1) {
    const { id } = await publish('discord')
    const death = dyingAtEffect(side, step)
    seam.begin(death.observe)
    const next = nextText()
    await edit(id, { content: next })
    await kit.service.pass(10 * minuteMs, { tickMinutes: 1 })
    seam.end()
    const { content } = await get(id)
    expect([death.hasDied(), content, textsOn('discord').includes(next), typesOf(id)], `effect ${step}`).toEqual([
      true,
      next,
      true,
      ['post.live_edited'],
    ])
  }
})

test('one of two concurrent edits wins in the record and on the platform, and each event says what is there', async () => {
  const { id, text } = await publish('discord')
  const [one, other] = [nextText(), nextText()]
  await Promise.all([edit(id, { content: one }), edit(id, { content: other })])
  await kit.service.pass(5 * minuteMs)
  const { content } = await get(id)
  expect([one, other]).toContain(content)
  const there = textsOn('discord')
  expect([text, one, other].filter((each) => there.includes(each))).toEqual([content])
  expect(eventsOf(kit, id).at(-1)).toMatchObject({ type: 'post.live_edited', data: { content } })
})

test('an edit that comes while an earlier one is being made is the one that stays', async () => {
  const { id } = await publish('discord')
  const [earlier, later] = [nextText(), nextText()]
  let isRequested = false
  seam.begin(async (effect, run) => {
    const result = await run()
    if (effect.action === 'PATCH /channels/{channel}/messages/{message}' && !isRequested) {
      isRequested = true
      expect(await edit(id, { content: later })).toMatchObject({ liveEdit: 'pending' })
    }
    return result
  })
  await edit(id, { content: earlier })
  await kit.service.pass(minuteMs)
  seam.end()
  expect(isRequested).toBe(true)
  expect((await get(id)).content).toBe(later)
  expect(textsOn('discord')).toContain(later)
  expect(textsOn('discord')).not.toContain(earlier)
  expect(eventsOf(kit, id)).toMatchObject([{ type: 'post.live_edited', data: { content: later } }])
})

test('an edit replaces one that waits for an outage to end', async () => {
  const { id } = await publish('discord')
  kit.platforms.faults.add({ platform: 'discord', operation: 'edit', times: 1_000_000, fault: 'html_503' })
  await edit(id, { content: nextText() })
  await kit.service.pass(hourMs, { tickMinutes: 5 })
  expect(await get(id)).toMatchObject({ liveEditedAt: null, liveEditError: null })
  kit.platforms.faults.clear()
  const before = edits('discord')
  const later = nextText()
  await edit(id, { content: later })
  await kit.service.pass(minuteMs)
  expect([(await get(id)).content, edits('discord') - before]).toEqual([later, 1])
  await kit.service.pass(8 * hourMs, { tickMinutes: 30 })
  expect([edits('discord') - before, typesOf(id)]).toEqual([1, ['post.live_edited']])
})

test('lost messages are made up for', async () => {
  const { id } = await publish('discord')
  kit.service.queues.faults.onSend = () => 'lose'
  const next = nextText()
  await edit(id, { content: next })
  await kit.service.pass(10 * minuteMs, { tickMinutes: 1 })
  kit.service.queues.faults.onSend = undefined
  await kit.service.pass(hourMs, { tickMinutes: 5 })
  expect((await get(id)).content).toBe(next)
})

test('a refusal is reported by post and event; the account stays connected, and the edit can be requested again', async () => {
  const { id, text } = await publish('discord')
  const body = { code: 50_035, message: 'Not now' }
  kit.platforms.faults.add({ platform: 'discord', operation: 'edit', times: 1, fault: 'status', status: 400, body })
  const next = nextText()
  await edit(id, { content: next })
  await kit.service.pass(minuteMs)
  const liveEditError = expect.stringContaining('Not now')
  expect(await get(id)).toMatchObject({ content: text, liveEditedAt: null, liveEditError })
  expect(eventsOf(kit, id)).toMatchObject([{ type: 'post.live_edit_failed', data: { content: text, liveEditError } }])
  await edit(id, { content: next })
  await kit.service.pass(minuteMs)
  expect(await get(id)).toMatchObject({ content: next, liveEditError: null })
  expect(typesOf(id)).toEqual(['post.live_edit_failed', 'post.live_edited'])
})

test.each(editable)('%s: a post that was deleted there cannot be edited', async (platform) => {
  const { id, text } = await publish(platform)
  kit.platforms.faults.add({ platform, operation: 'edit', times: 1, fault: 'html_503' })
  await edit(id, saying(platform, nextText()))
  await kit.service.pass(1000)
  await kit.api.posts.delete({ params: { id }, query: { live: 'true' } })
  await kit.service.pass(10 * minuteMs, { tickMinutes: 1 })
  expect(await get(id)).toMatchObject({ liveDeletedAt: expect.any(String), liveEditedAt: null })
  expect(await liveTextOf(id)).toBe(text)
  expect(typesOf(id)).toEqual(['post.live_edit_failed'])
  await expect(edit(id, saying(platform, nextText()))).rejects.toMatchObject({
    status: 400,
    code: 'invalid_post_status',
  })
})

test('a record stays until the platform has taken the edit', async () => {
  const { id } = await publish('discord')
  kit.platforms.faults.add({ platform: 'discord', operation: 'edit', times: 1, fault: 'html_503' })
  await edit(id, { content: nextText() })
  await kit.service.pass(1000)
  await expect(kit.api.posts.delete({ params: { id } })).rejects.toMatchObject({
    status: 409,
    code: 'live_change_pending',
  })
  await kit.service.pass(10 * minuteMs)
  expect(typesOf(id)).toEqual(['post.live_edited'])
  expect(await kit.api.posts.delete({ params: { id } })).toMatchObject({ deleted: true, published: true })
})

test('a long text is stored in its own row, and a short one after it in the post', async () => {
  const { id } = await publish('slack')
  const long = 'ü'.repeat(3000)
  await edit(id, { content: long })
  await kit.service.pass(minuteMs)
  expect((await get(id)).content).toBe(long)
  const short = nextText()
  await edit(id, { content: short })
  await kit.service.pass(minuteMs)
  expect((await get(id)).content).toBe(short)
  expect(textsOn('slack')).toContain(short)
})

test('the new text obeys the rules of the platform, with the issues of a new post', async () => {
  const { id } = await publish('discord')
  expect(await edit(id, { content: 'a'.repeat(2000) })).toMatchObject({ liveEdit: 'pending' })
  const tooLong = edit(id, { content: 'a'.repeat(2001) })
  await expect(tooLong).rejects.toMatchObject({ status: 400, code: 'content_length', body: { field: 'content' } })
  await expect(edit(id, { content: '' })).rejects.toMatchObject({ status: 400, code: 'content_empty' })
})

test('only text and metadata of a live post can change, each platform says which', async () => {
  const { id } = await publish('discord')
  const refused = (body: Body, field: string, code = 'live_edit_not_supported') =>
    expect(edit(id, body)).rejects.toMatchObject({ status: 400, code, body: { field } })
  await refused({}, 'content', 'invalid_input')
  await refused({ content: 'a', scheduledAt: new Date(kit.clock.now() + hourMs).toISOString() }, 'scheduledAt')
  await refused({ content: 'a', mediaUrls: [] }, 'mediaUrls')
  await refused({ firstComment: null }, 'firstComment')
  await refused({ externalId: 'a' }, 'externalId')
  await refused({ metadata: { discord: { channelId: '1' } } }, 'metadata.discord.channelId')
  await refused({ metadata: null }, 'metadata.discord.channelId')
  expect(await edit(id, { metadata: { discord: { channelId } } })).toMatchObject({ liveEdit: 'done' })
})

test('If-Match names the version that is edited', async () => {
  const { id } = await publish('discord')
  const { version } = await get(id)
  const editWithTag = (tag: string) =>
    kit.api.posts.update({
      params: { id },
      query: { live: 'true' },
      body: { content: nextText() },
      ifMatch: tag,
    })
  await expect(editWithTag(`"${version + 1}"`)).rejects.toMatchObject({ status: 412, code: 'post_changed' })
  expect(await editWithTag(`"${version}"`)).toMatchObject({ liveEdit: 'pending' })
})

test('a post that is not live, or cannot be edited there, is refused with the reason', async () => {
  const scheduledAt = new Date(kit.clock.now() + hourMs).toISOString()
  const body = { socialAccountIds: [kit.accounts.bluesky], content: 'Later', scheduledAt }
  const [{ id = '' } = {}] = await kit.api.posts.schedule({ body })
  await expect(edit(id, { content: 'a' })).rejects.toMatchObject({ status: 400, code: 'invalid_post_status' })
  await kit.api.posts.cancel({ params: { id } })
  const { id: live } = await publish('bluesky')
  const refused = { status: 400, code: 'live_edit_not_supported', message: expect.stringContaining('ignore edits') }
  await expect(edit(live, { content: 'a' })).rejects.toMatchObject(refused)
})

test('a Slack message with files is refused with the reason', async () => {
  const { id } = await publish('slack', { mediaUrls: [(await uploadPng(kit)).id] })
  const refused = { status: 400, code: 'live_edit_not_supported', message: expect.stringContaining('files') }
  await expect(edit(id, { content: 'a' })).rejects.toMatchObject(refused)
})

test('a Discord message with a poll is refused with the reason', async () => {
  const poll = { question: 'Rye or spelt?', answers: ['Rye', 'Spelt'] }
  const { id } = await publish('discord', { metadata: { discord: { channelId, poll } } })
  expect(kit.platforms.published().at(-1)?.extras).toEqual(['poll: Rye or spelt? Rye | Spelt (24 h)'])
  const refused = { status: 400, code: 'live_edit_not_supported', message: expect.stringContaining('poll') }
  await expect(edit(id, { content: 'a' })).rejects.toMatchObject(refused)
})

test.each([
  ['discord', { content: 'Edited <@1> & more' }, { content: 'Edited <@1> & more', allowed_mentions: { parse: [] } }],
  [
    'slack',
    { content: 'Edited <@1> & more' },
    {
      channel: 'C0DEMO007',
      ts: expect.stringMatching(/^\d+\.\d{6}$/),
      text: 'Edited &lt;@1&gt; &amp; more',
      parse: 'none',
      link_names: false,
    },
  ],
  [
    'youtube',
    { content: 'Edited', metadata: { youtube: { title: 'Another', tags: ['bread'] } } },
    { id: expect.any(String), snippet: { title: 'Another', description: 'Edited', tags: ['bread'], categoryId: '22' } },
  ],
  ['linkedin', { content: 'Edited (twice)' }, { patch: { $set: { commentary: 'Edited \\(twice\\)' } } }],
  [
    'pinterest',
    {
      metadata: {
        pinterest: {
          boardId: pinterestSeed.boards[0].id,
          title: 'Another',
          description: 'Edited',
          link: 'https://example.org/a',
        },
      },
    },
    { title: 'Another', description: 'Edited', link: 'https://example.org/a' },
  ],
] as const)('%s: the request has the text, and nothing that would change more', async (platform, body, sent) => {
  const { id } = await publish(platform)
  await edit(id, body)
  await kit.service.pass(minuteMs)
  const calls = kit.platforms.calls().filter((call) => call.platform === platform && call.operation === 'edit')
  expect(JSON.parse(String(calls.at(-1)?.body))).toEqual(sent)
  expect((await get(id)).liveEditError).toBe(null)
})

test('Reddit: the form has the text, and only posts of the kind self are edited', async () => {
  const { id } = await publish('reddit')
  const next = nextText()
  await edit(id, { content: next })
  await kit.service.pass(minuteMs)
  const sent = kit.platforms.calls().findLast((call) => call.platform === 'reddit' && call.operation === 'edit')
  expect(Object.fromEntries(new URLSearchParams(String(sent?.body)))).toEqual({
    api_type: 'json',
    thing_id: (await get(id)).platformPostId,
    text: next,
  })
  const reddit = { subreddit: 'test', title: 'A title', kind: 'link', url: 'https://bakery.example/rye' }
  const { id: link } = await publish('reddit', { metadata: { reddit } })
  const refused = { status: 400, code: 'live_edit_not_supported', message: expect.stringContaining('kind `self`') }
  await expect(edit(link, { content: 'a' })).rejects.toMatchObject(refused)
})

test('each platform says whether its API edits posts, or why not', () => {
  for (const id of platformIds) {
    const offer = livePosts[id].edit
    expect(adapterOf(id).edit !== undefined, id).toBe(typeof offer !== 'string')
    if (typeof offer === 'string') expect(offer).toMatch(/^[A-Z].+\.$/)
  }
})
