import { afterAll, beforeEach, expect, test } from 'vitest'
import { instagramSeed } from '../../infra/local/platforms/instagram.ts'
import type { MediaFile } from '../../shared/media/media-file.ts'
import { instagram as connector } from '../../shared/platforms/instagram/connect.ts'
import { instagram } from '../../shared/platforms/instagram/publish.ts'
import type { OutgoingPost } from '../../shared/platforms/post.ts'
import { startGraphSite } from './graph-site.ts'
import { metaError } from './meta-error.ts'
import { failureOf } from './site.ts'

const site = await startGraphSite('instagram', instagram, connector)
const { platforms, files, fault } = site
const [person] = instagramSeed.people

beforeEach(() => {
  platforms.reset()
  site.effects.length = 0
})
afterAll(() => site.close())

const addressOf = ({ storageKey }: MediaFile) => `${site.ctx().env('MEDIA_URL')}/${storageKey}`
const open = (format: string, media: MediaFile[], more: Partial<OutgoingPost> = {}, metadata: object = {}) =>
  site.open({ media, metadata: { format, ...metadata }, ...more })
const uploads = () => site.golden('upload').map(({ fields }) => fields)

test('publishes a feed image with a container and one call on time', async () => {
  const picture = await files.jpeg({ altText: 'of the file' })
  const metadata = { altText: 'of the post', collaborators: ['@ann.b', 'carl_d'] }
  const call = await open('feed_image', [picture], { text: 'Hello 👋🏽 #one' }, metadata)
  const { ready, expiresAtMs, waits } = await site.prepare(call)
  expect(waits).toEqual([2, 5])
  expect(expiresAtMs).toBe(site.now() - 7_000 + 23 * 3_600_000)
  expect(platforms.published()).toEqual([])
  const { id, url } = await instagram.commit(call, ready, 'key', undefined)
  expect(site.golden('upload')).toEqual([
    {
      method: 'POST',
      path: `/v25.0/${person.id}/media`,
      fields: {
        image_url: addressOf(picture),
        caption: 'Hello 👋🏽 #one',
        alt_text: 'of the post',
        collaborators: '["ann.b","carl_d"]',
      },
    },
  ])
  const container = String(ready['container'])
  expect(site.golden('create')).toEqual([
    { method: 'POST', path: `/v25.0/${person.id}/media_publish`, fields: { creation_id: container } },
  ])
  expect(site.golden('status').slice(-2)).toEqual([
    { method: 'GET', path: `/v25.0/${container}`, fields: { fields: 'status_code,status' } },
    { method: 'GET', path: `/v25.0/${id}`, fields: { fields: 'permalink' } },
  ])
  expect(url).toMatch(/^https:\/\/www\.instagram\.com\/p\//)
  expect(platforms.published()).toMatchObject([{ account: person.username, text: 'Hello 👋🏽 #one', url }])
})

test('sends no caption without text, and no description without one', async () => {
  const picture = await files.jpeg()
  await site.prepare(await open('feed_image', [picture], { text: '' }))
  expect(uploads()).toEqual([{ image_url: addressOf(picture) }])
})

test('a carousel is its children first, each with its own description, then the container that holds them', async () => {
  const [first, movie, third] = [await files.jpeg({ altText: 'own' }), await files.mp4(), await files.jpeg()]
  const metadata = { altText: 'of the post', collaborators: ['ann.b'] }
  const call = await open('carousel', [first, movie, third], { text: 'Three' }, metadata)
  const { ready, waits } = await site.prepare(call)
  expect(waits).toEqual([2, 5, 10, 20, 30, 2, 5])
  expect(uploads()).toEqual([
    { image_url: addressOf(first), is_carousel_item: 'true', alt_text: 'own' },
    { media_type: 'VIDEO', video_url: addressOf(movie), is_carousel_item: 'true' },
    { image_url: addressOf(third), is_carousel_item: 'true', alt_text: 'of the post' },
    {
      media_type: 'CAROUSEL',
      caption: 'Three',
      collaborators: '["ann.b"]',
      children: expect.stringMatching(/^\d+,\d+,\d+$/),
    },
  ])
  await instagram.commit(call, ready, 'key', undefined)
  expect(platforms.published()).toMatchObject([{ text: 'Three' }])
  expect(platforms.published()[0]?.media).toHaveLength(3)
})

test('a reel has its audio, its feed setting, and its cover, which overrides the thumbnail offset', async () => {
  const [movie, cover] = [await files.mp4(), await files.jpeg()]
  const metadata = { audioName: 'My sound', shareToFeed: false, thumbOffset: 1500.4 }
  const reel = {
    media_type: 'REELS',
    video_url: addressOf(movie),
    caption: 'Reel',
    audio_name: 'My sound',
    share_to_feed: 'false',
  }
  await site.prepare(await open('reel', [movie], { text: 'Reel' }, metadata))
  expect(uploads()).toEqual([{ ...reel, thumb_offset: '1500' }])
  platforms.reset()
  const call = await open('reel', [movie], { text: 'Reel', assets: { coverMediaAssetId: cover } }, metadata)
  const { ready, waits } = await site.prepare(call)
  expect(uploads()).toEqual([{ ...reel, cover_url: addressOf(cover) }])
  expect(waits).toEqual([2, 5, 10, 20, 30])
  await instagram.commit(call, ready, 'key', undefined)
  expect(platforms.published()).toMatchObject([{ text: 'Reel', media: [expect.any(String), expect.any(String)] }])
  platforms.reset()
  await site.prepare(await open('reel', [movie], { text: '' }, { thumbOffset: 0 }))
  expect(uploads()).toEqual([{ media_type: 'REELS', video_url: addressOf(movie), thumb_offset: '0' }])
})

test('tags accounts on the image that shows them, and without a position on a reel', async () => {
  const [picture, movie] = [await files.jpeg(), await files.mp4()]
  const tagged = async (format: string, media: MediaFile[], userTags: object[]) => {
    platforms.reset()
    await site.publish(await open(format, media, {}, { userTags }))
    return uploads().map(({ user_tags: tags }) => (tags === undefined ? undefined : JSON.parse(tags)))
  }
  const ann = { username: '@ann.b', x: 0.25, y: 1 }
  const carl = { username: 'carl_d', x: 0, y: 0.5 }
  const sent = { ...ann, username: 'ann.b' }
  expect(await tagged('feed_image', [picture], [ann, { ...carl, own: 1 }])).toEqual([[sent, carl]])
  const third = { ...carl, mediaIndex: 2 }
  expect(await tagged('carousel', [picture, movie, picture], [ann, third])).toEqual([
    [sent],
    undefined,
    [carl],
    undefined,
  ])
  expect(platforms.published()[0]?.extras).toEqual(['tags ann.b', 'tags carl_d'])
  expect(await tagged('reel', [movie], [{ username: 'ann.b' }])).toEqual([[{ username: 'ann.b' }]])
  expect(await tagged('story', [picture], [ann])).toEqual([[sent]])
  expect(await tagged('story', [movie], [{ username: 'ann.b' }])).toEqual([[{ username: 'ann.b' }]])
  expect(await tagged('feed_image', [picture], [])).toEqual([undefined])
})

test('a reel is a trial, where Instagram offers them to the account', async () => {
  const movie = await files.mp4()
  const trial = (graduationStrategy: string) =>
    open('reel', [movie], { text: 'Try' }, { trialParams: { graduationStrategy, own: 1 } })
  await site.publish(await trial('SS_PERFORMANCE'))
  expect(uploads()).toEqual([
    {
      media_type: 'REELS',
      video_url: addressOf(movie),
      caption: 'Try',
      trial_params: '{"graduation_strategy":"SS_PERFORMANCE"}',
    },
  ])
  expect(platforms.published()[0]?.extras).toEqual(['trial: SS_PERFORMANCE'])
  const call = await trial('MANUAL')
  fault({ operation: 'upload', ...metaError(100, 2207081) })
  expect(await failureOf(site.prepare(call))).toMatchObject({
    errorClass: 'invalid',
    message: expect.stringContaining('does not offer trial reels to this account'),
  })
})

test('labels AI content on the post, not on carousel items', async () => {
  const metadata = { isAiGenerated: true }
  const [picture, movie] = [await files.jpeg(), await files.mp4()]
  const labelled = async (format: string, media: MediaFile[]) => {
    platforms.reset()
    const call = await open(format, media, {}, metadata)
    const { ready } = await site.prepare(call)
    await instagram.commit(call, ready, 'key', undefined)
    return uploads().map((fields) => fields['is_ai_generated'])
  }
  expect(await labelled('feed_image', [picture])).toEqual(['true'])
  expect(await labelled('carousel', [picture, picture])).toEqual([undefined, undefined, 'true'])
  expect(await labelled('reel', [movie])).toEqual(['true'])
  expect(await labelled('story', [picture])).toEqual(['true'])
})

test('a story is one image or one video', async () => {
  const [picture, movie] = [await files.jpeg({}, 1080, 1920), await files.mp4()]
  const call = await open('story', [picture], { text: 'Nobody sees this' }, { altText: 'nor this' })
  const attempt = await site.armed(call)
  const { id, url } = await instagram.commit(call, attempt.ref, 'key', undefined)
  expect(uploads()).toEqual([{ media_type: 'STORIES', image_url: addressOf(picture) }])
  // It is found among the stories, not among the posts.
  expect(await instagram.probe(call, attempt)).toEqual({ kind: 'published', id, url })
  expect(site.golden('read').map(({ path }) => path)).toEqual([`/v25.0/${person.id}/stories`])
  platforms.reset()
  await site.prepare(await open('story', [movie]))
  expect(uploads()).toEqual([{ media_type: 'STORIES', video_url: addressOf(movie) }])
})

test.each([
  ['PNG', () => files.png(), '36001/2207005'],
  ['a banner', () => files.jpeg({}, 1920, 1000), '36003/2207009'],
  ['a tower', () => files.jpeg({}, 790, 1000), '36003/2207009'],
])('Instagram itself rejects %s', async (_, make, code) => {
  expect(await failureOf(site.prepare(await open('feed_image', [await make()])))).toMatchObject({
    errorClass: 'invalid',
    info: { code },
  })
})

test('retries a file that cannot be fetched with new containers', async () => {
  const missing = { ...(await files.jpeg()), storageKey: 'media/uploads/ws_1/gone' }
  expect(await failureOf(site.prepare(await open('feed_image', [missing])))).toMatchObject({
    errorClass: 'transient',
    info: { code: '9004/2207052', preparedGone: true },
  })
})

test.each([
  ['Error: The video could not be processed, error code 2207026', 0],
  ['Error: Media download has failed, error code 2207077', 2],
  ['Error: error code 2207053', 2],
  ['Error', 2],
])('recreates a container that says "%s" %i times, then rejects it', async (message, times) => {
  const call = await open('reel', [await files.mp4()])
  const body = { id: '1', status_code: 'ERROR', status: message }
  fault({ operation: 'status', fault: 'status', status: 200, body, times: 100 })
  expect(await failureOf(site.prepare(call))).toMatchObject({
    errorClass: 'invalid',
    message: `Instagram could not process the media: ${message}`,
  })
  expect(uploads()).toHaveLength(1 + times)
})

test('waits half an hour for a long reel', async () => {
  const call = await open('reel', [await files.mp4()])
  fault({
    operation: 'status',
    fault: 'status',
    status: 200,
    body: { id: '1', status_code: 'IN_PROGRESS' },
    times: 100,
  })
  const before = site.now()
  expect(await failureOf(site.prepare(call))).toMatchObject({ errorClass: 'transient' })
  expect(site.now() - before).toBeGreaterThan(30 * 60_000)
  expect(site.now() - before).toBeLessThan(32 * 60_000)
})
