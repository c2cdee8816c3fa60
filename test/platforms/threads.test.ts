import { afterAll, beforeEach, expect, test } from 'vitest'
import { threadsSeed } from '../../infra/local/platforms/threads.ts'
import type { MediaFile } from '../../shared/media/media-file.ts'
import type { PreparedRef } from '../../shared/platforms/adapter.ts'
import { threads as connector } from '../../shared/platforms/threads/connect.ts'
import { threads } from '../../shared/platforms/threads/publish.ts'
import { startGraphSite } from './graph-site.ts'
import { failureOf } from './site.ts'

const site = await startGraphSite('threads', threads, connector)
const { platforms, files, fault } = site
const [person] = threadsSeed.people

beforeEach(() => {
  platforms.reset()
  site.effects.length = 0
})
afterAll(() => site.close())

const addressOf = ({ storageKey }: MediaFile) => `${site.ctx().env('MEDIA_URL')}/${storageKey}`

test('publishes a text with a container ahead and one call on time', async () => {
  const call = await site.open({ text: 'Grüße 👋🏽' })
  const { ready, expiresAtMs, waits } = await site.prepare(call)
  expect(waits).toEqual([])
  expect(platforms.published()).toEqual([])
  expect(expiresAtMs).toBe(site.now() + 23 * 3_600_000)
  const { id, url } = await threads.commit(call, ready, 'key', undefined)
  expect(platforms.published()).toMatchObject([
    { platform: 'threads', account: person.username, text: 'Grüße 👋🏽', url },
  ])
  expect(site.golden('upload')).toEqual([
    { method: 'POST', path: `/v1.0/${person.id}/threads`, fields: { media_type: 'TEXT', text: 'Grüße 👋🏽' } },
  ])
  const container = String(ready['container'])
  expect(site.golden('create')).toEqual([
    { method: 'POST', path: `/v1.0/${person.id}/threads_publish`, fields: { creation_id: container } },
  ])
  expect(site.golden('status')).toEqual([
    { method: 'GET', path: `/v1.0/${container}`, fields: { fields: 'id,status,error_message' } },
    { method: 'GET', path: `/v1.0/${id}`, fields: { fields: 'permalink' } },
  ])
  expect(site.effects.map(({ action }) => action).slice(-3)).toEqual([
    'GET /{container}',
    'POST /{user}/threads_publish',
    'GET /{media}',
  ])
})

test('no observed effect contains a token, a secret, or a file URL', async () => {
  const call = await site.open({ media: [await files.jpeg()] })
  await site.publish(call)
  const effectsJson = JSON.stringify(site.effects)
  for (const secret of [threadsSeed.clientSecret, String(call.account.credentials['accessToken']), 'media/uploads']) {
    expect(effectsJson).not.toContain(secret)
  }
})

test('Threads fetches an image and a video by URL, and the service waits for them', async () => {
  const picture = await files.png({ altText: `${'é'.repeat(1000)}!` })
  const { waits } = await site.prepare(await site.open({ text: 'One', media: [picture] }))
  expect(waits).toEqual([2, 5])
  expect(site.golden('upload')[0]?.fields).toEqual({
    media_type: 'IMAGE',
    image_url: addressOf(picture),
    alt_text: 'é'.repeat(1000),
    text: 'One',
  })
  platforms.reset()
  const movie = await files.mp4()
  const call = await site.open({ text: '', media: [movie] })
  const prepared = await site.prepare(call)
  expect(prepared.waits).toEqual([2, 5, 10, 20, 30])
  expect(site.golden('upload')[0]?.fields).toEqual({ media_type: 'VIDEO', video_url: addressOf(movie) })
  await threads.commit(call, prepared.ready, 'key', undefined)
  const [shown = ''] = platforms.published()[0]?.media ?? []
  expect((await fetch(shown)).headers.get('content-type')).toBe('video/mp4')
})

test('a carousel is its children, finished, in their order, and the container that holds them', async () => {
  const [first, movie, third] = [
    await files.jpeg({ altText: 'first' }),
    await files.mp4(),
    await files.png({ altText: 'third' }),
  ]
  const call = await site.open({ text: 'Three', media: [first, movie, third] })
  const { url } = await site.publish(call)
  const uploads = site.golden('upload').map(({ fields }) => fields)
  expect(uploads.slice(0, 3)).toEqual([
    { media_type: 'IMAGE', image_url: addressOf(first), alt_text: 'first', is_carousel_item: 'true' },
    { media_type: 'VIDEO', video_url: addressOf(movie), is_carousel_item: 'true' },
    { media_type: 'IMAGE', image_url: addressOf(third), alt_text: 'third', is_carousel_item: 'true' },
  ])
  expect(uploads[3]).toEqual({
    media_type: 'CAROUSEL',
    text: 'Three',
    children: expect.stringMatching(/^\d+,\d+,\d+$/),
  })
  expect(site.operations().filter((name) => name === 'create')).toHaveLength(1)
  expect(platforms.published()).toMatchObject([{ text: 'Three', url }])
  const types = await Promise.all(
    (platforms.published()[0]?.media ?? []).map(async (url) => (await fetch(url)).headers.get('content-type')),
  )
  expect(types).toEqual(['image/jpeg', 'video/mp4', 'image/png'])
})

test('sends a topic, who can reply, a poll, a link card, and the post that is quoted as Threads names them', async () => {
  const metadata = {
    topicTag: 'Bread and more',
    replyControl: 'followers_only',
    poll: { options: ['Rye', 'Spelt', 'Wheat', 'Oat'] },
    linkAttachment: 'https://bakery.example/a',
    quotePostId: '17912345678901234',
    isSpoilerMedia: true,
    own: 1,
  }
  await site.publish(await site.open({ text: 'Which one?', metadata }))
  expect(site.golden('upload').map(({ fields }) => fields)).toEqual([
    {
      media_type: 'TEXT',
      text: 'Which one?',
      topic_tag: 'Bread and more',
      reply_control: 'followers_only',
      poll_attachment: '{"option_a":"Rye","option_b":"Spelt","option_c":"Wheat","option_d":"Oat"}',
      link_attachment: 'https://bakery.example/a',
      quote_post_id: '17912345678901234',
    },
  ])
  expect(site.golden('create')[0]?.fields).toEqual({ creation_id: expect.stringMatching(/^\d+$/) })
  expect(platforms.published()[0]?.extras).toEqual([
    'topic: Bread and more',
    'replies: followers_only',
    'quotes 17912345678901234',
    'poll: Rye | Spelt | Wheat | Oat',
    'link: https://bakery.example/a',
  ])
})

test('a long text is an attachment with its own link card', async () => {
  for (const linkUrl of [undefined, 'https://bakery.example/recipe']) {
    platforms.reset()
    const textAttachment = { plaintext: 'Mix.\nFold. 🥖', ...(linkUrl ? { linkUrl } : {}) }
    await site.publish(await site.open({ text: 'The recipe', metadata: { textAttachment } }))
    const { text_attachment: sent, ...rest } = site.golden('upload')[0]?.fields ?? {}
    expect(rest).toEqual({ media_type: 'TEXT', text: 'The recipe' })
    expect(JSON.parse(String(sent))).toEqual({
      plaintext: 'Mix.\nFold. 🥖',
      ...(linkUrl ? { link_attachment_url: linkUrl } : {}),
    })
  }
})

test('the container that is published has the metadata, not the items of a carousel', async () => {
  const metadata = { isSpoilerMedia: true, topicTag: 'Bread' }
  const more = { is_spoiler_media: 'true', topic_tag: 'Bread' }
  await site.publish(await site.open({ text: 'One', media: [await files.jpeg()], metadata }))
  expect(site.golden('upload').map(({ fields }) => fields)).toMatchObject([{ media_type: 'IMAGE', ...more }])
  platforms.reset()
  await site.publish(await site.open({ text: 'Two', media: [await files.jpeg(), await files.mp4()], metadata }))
  const [image, movie, parent] = site.golden('upload').map(({ fields }) => fields)
  expect(parent).toMatchObject({ media_type: 'CAROUSEL', ...more })
  for (const item of [image, movie]) expect(Object.keys(item ?? {}).filter((name) => name in more)).toEqual([])
})

test('a reply leaves out who can reply, which its first post says', async () => {
  const metadata = { replyControl: 'mentioned_only', topicTag: 'Bread' }
  const call = await site.open({ text: 'Two', metadata })
  await threads.prepare?.({ ...call, post: { ...call.post, replyTo: '17912345678901234' } }, undefined)
  expect(site.golden('upload')[0]?.fields).not.toHaveProperty('reply_control')
  expect(site.golden('upload')[0]?.fields).toMatchObject({ topic_tag: 'Bread' })
})

test('does not query a finished container again', async () => {
  await site.prepare(await site.open({ media: [await files.jpeg(), await files.mp4()] }))
  const paths = site.golden('status').map(({ path }) => path)
  // The picture twice until it is there, the film until it is, then the one that holds them.
  expect([...new Set(paths)].map((path) => paths.filter((candidate) => candidate === path).length)).toEqual([2, 5, 2])
})

const stuck = { id: '1', status: 'IN_PROGRESS' }

test('gives up media that is not ready after ten minutes', async () => {
  const call = await site.open({ media: [await files.mp4()] })
  fault({ operation: 'status', fault: 'status', status: 200, body: stuck, times: 100 })
  const before = site.now()
  const error = await failureOf(site.prepare(call))
  expect(error).toMatchObject({ errorClass: 'transient', message: 'Threads took too long to process the media.' })
  expect(site.now() - before).toBeGreaterThan(10 * 60_000)
  expect(site.now() - before).toBeLessThan(12 * 60_000)
})

test.each([
  ['FAILED_PROCESSING_VIDEO', 0],
  ['INVALID_ASPEC_RATIO', 0],
  ['INVALID_DURATION', 0],
  ['FAILED_DOWNLOADING_VIDEO', 2],
  ['UNKNOWN', 2],
])('recreates media that fails with %s %i times, then rejects it', async (message, times) => {
  const call = await site.open({ media: [await files.mp4()] })
  const body = { id: '1', status: 'ERROR', error_message: message }
  fault({ operation: 'status', fault: 'status', status: 200, body, times: 100 })
  expect(await failureOf(site.prepare(call))).toMatchObject({
    errorClass: 'invalid',
    message: `Threads could not process the media: ${message}`,
  })
  expect(site.golden('upload')).toHaveLength(1 + times)
})

test('replaces a container that failed once', async () => {
  const call = await site.open({ media: [await files.jpeg(), await files.mp4()] })
  const body = { id: '1', status: 'EXPIRED' }
  fault({ operation: 'status', fault: 'status', status: 200, body })
  const { ready } = await site.prepare(call)
  await threads.commit(call, ready, 'key', undefined)
  expect(site.golden('upload')).toHaveLength(4)
  expect(platforms.published()[0]?.media).toHaveLength(2)
})

test('recreates a parent container from the same children', async () => {
  const call = await site.open({ media: [await files.jpeg(), await files.png()] })
  let resume: PreparedRef | undefined
  while (resume?.['whole'] !== true) {
    const done = await threads.prepare?.(call, resume)
    if (!done || 'ready' in done) throw new Error('it was ready too early')
    resume = done.resume
    site.pass(done.waitSeconds * 1000)
  }
  fault({ operation: 'status', fault: 'status', status: 200, body: { id: '1', status: 'EXPIRED' } })
  const { ready } = await site.prepare(call, resume)
  await threads.commit(call, ready, 'key', undefined)
  const [first, again, ...more] = site.golden('upload').filter(({ fields }) => fields['media_type'] === 'CAROUSEL')
  expect(again).toEqual(first)
  expect(more).toEqual([])
  expect(site.golden('upload')).toHaveLength(4)
  expect(platforms.published()[0]?.media).toHaveLength(2)
})

test('retries a missing file, and rejects an invalid one', async () => {
  const missing = { ...(await files.jpeg()), storageKey: 'media/uploads/ws_1/gone' }
  expect(await failureOf(site.prepare(await site.open({ media: [missing] })))).toMatchObject({
    errorClass: 'transient',
  })
  const wrong = await files.gif()
  expect(await failureOf(site.prepare(await site.open({ media: [wrong] })))).toMatchObject({ errorClass: 'invalid' })
})
