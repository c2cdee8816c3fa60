import { afterAll, beforeAll, expect, test } from 'vitest'
import { youtubeSeed } from '../../../infra/local/platforms/youtube.ts'
import { posts } from '../../../shared/posts/lifecycle/row.ts'
import { minuteMs } from '../../../shared/time.ts'
import { srt, vtt } from '../../media/captions.ts'
import { connectOn } from '../../support/connect.ts'
import { type Kit, start } from '../../support/start.ts'
import { expectSound } from '../invariants.ts'
import { uploadPng } from '../upload.ts'
import { uploadFile } from '../upload-file.ts'
import { clip, uploadVideo } from '../upload-video.ts'

let kit: Kit
let account: string
beforeAll(async () => {
  kit = await start()
  account = await connectOn(kit, 'youtube')
}, 60_000)
afterAll(async () => {
  await expectSound(kit)
  await kit.close()
})

const onYouTube = () => kit.platforms.published().filter(({ platform }) => platform === 'youtube')

const schedule = async (content: string, more: object) => {
  const dueMs = kit.clock.now() + 12 * minuteMs
  const scheduledAt = new Date(dueMs).toISOString()
  const [{ id = '' } = {}] = await kit.api.posts.schedule({
    body: { socialAccountIds: [account], content, scheduledAt, ...more },
  })
  return { id, dueMs }
}

test('the channel is the account', async () => {
  expect((await kit.api.socialAccounts.list()).find(({ id }) => id === account)).toMatchObject({
    providerId: 'youtube',
    username: 'demochannel',
    displayName: 'Demo Channel',
  })
})

test('a video is uploaded ahead except for its last bytes and is live on time', async () => {
  const bytes = clip(17 * 1024 * 1024)
  const { id: asset } = await uploadVideo(kit, bytes)
  const youtube = {
    title: 'My film',
    tags: ['fun'],
    privacyStatus: 'unlisted',
    anything: 1,
    hasPaidProductPlacement: true,
  }
  const { id, dueMs } = await schedule('A description\nof it', { metadata: { youtube }, mediaUrls: [asset] })
  await kit.service.pass(11 * minuteMs + 50_000)
  const row = await posts.get(kit.ctx, { workspaceId: kit.workspaceId, id })
  expect(row?.preparation).toMatchObject({ ready: { next: 17_825_792, size: bytes.length, title: 'My film' } })
  expect(onYouTube()).toEqual([])
  await kit.service.pass(minuteMs)
  const [shown] = onYouTube()
  expect(await kit.api.posts.get({ params: { id } })).toMatchObject({
    status: 'published',
    publishedPostUrl: shown?.url,
    error: null,
  })
  expect(shown).toMatchObject({ account: 'Demo Channel', text: 'My film\n\nA description\nof it' })
  expect(((shown?.publishedAt ?? 0) - dueMs) / 1000).toBeGreaterThanOrEqual(0)
  expect(((shown?.publishedAt ?? 0) - dueMs) / 1000).toBeLessThan(1)
  const sent = await fetch(shown?.media[0] ?? '')
  expect(Buffer.from(await sent.arrayBuffer()).equals(bytes)).toBe(true)
  const opened = kit.platforms.calls().find(({ operation }) => operation === 'open')
  expect(JSON.parse(String(opened?.body))).toMatchObject({
    snippet: { tags: ['fun'] },
    status: { privacyStatus: 'unlisted' },
    paidProductPlacementDetails: { hasPaidProductPlacement: true },
  })
})

test('a post published immediately without metadata is public, with its first line as the title', async () => {
  const { id: asset } = await uploadVideo(kit)
  const body = { socialAccountIds: [account], content: 'Quick one\nmore', mediaUrls: [asset] }
  const [{ id = '' } = {}] = await kit.api.posts.publishNow({ body })
  await kit.service.pass(minuteMs)
  const shown = onYouTube().find(({ text }) => text === 'Quick one\n\nQuick one\nmore')
  expect(await kit.api.posts.get({ params: { id } })).toMatchObject({
    status: 'published',
    publishedPostUrl: shown?.url,
  })
})

test('a video has the thumbnail and the playlist of its author, and is live where the channel may have none', async () => {
  const { id: asset } = await uploadVideo(kit)
  const { id: thumbnailMediaAssetId } = await uploadPng(kit)
  const [playlistId] = youtubeSeed.playlists
  const publish = async (content: string) => {
    const youtube = { thumbnailMediaAssetId, playlistId }
    const { id } = await schedule(content, { metadata: { youtube }, mediaUrls: [asset] })
    await kit.service.pass(13 * minuteMs)
    const { items } = await kit.api.posts.listAttempts({ params: { id } })
    const shown = onYouTube().find(({ text }) => text.startsWith(content))
    return { post: await kit.api.posts.get({ params: { id } }), summary: items.at(-1)?.summary, shown }
  }
  const good = await publish('With a face')
  expect(good.post.status).toBe('published')
  expect(good.shown?.extras).toEqual([`in the playlist ${playlistId}`])
  expect(good.summary).toMatch(/^Published; the call began \d+ ms after the planned time\.$/)
  const image = await fetch(good.shown?.media[1] ?? '')
  expect(image.headers.get('content-type')).toBe('image/png')
  const body = { error: { code: 403, message: 'Forbidden', errors: [{ reason: 'forbidden' }] } }
  kit.platforms.faults.add({
    platform: 'youtube',
    operation: 'thumbnail',
    times: 1,
    fault: 'status',
    status: 403,
    body,
  })
  const bare = await publish('Without a face')
  expect(bare.post).toMatchObject({ status: 'published', publishedPostUrl: bare.shown?.url, error: null })
  expect(bare.shown?.media).toHaveLength(1)
  expect(bare.summary).toMatch(
    /planned time\. The thumbnail was not set: the channel must be verified for it, at youtube\.com\/verify\.$/,
  )
})

test('a video has captions in two languages, and a wrong file is refused with its field', async () => {
  const { id: asset } = await uploadVideo(kit)
  const english = await uploadFile(kit, 'text/vtt', Buffer.from(vtt))
  const german = await uploadFile(kit, 'application/x-subrip', Buffer.from(srt))
  const captions = (second: string) => [
    { mediaAssetId: english, language: 'en' },
    { mediaAssetId: second, language: 'de' },
  ]
  const post = (second: string) => ({ metadata: { youtube: { captions: captions(second) } }, mediaUrls: [asset] })
  await schedule('With captions', post(german))
  await kit.service.pass(13 * minuteMs)
  const shown = onYouTube().find(({ text }) => text.startsWith('With captions'))
  expect(shown?.extras?.toSorted()).toEqual(['captions: English (en)', 'captions: German (de)'])
  const issues = async (second: string) =>
    (await kit.api.posts.validate({ body: { socialAccountIds: [account], content: 'A', ...post(second) } })).issues
  const field = 'metadata.youtube.captions.1.mediaAssetId'
  expect(await issues((await uploadPng(kit)).id)).toMatchObject([{ code: 'media_type', field }])
  expect(await issues('med_nothing')).toMatchObject([{ code: 'media_not_found' }])
  const attached = { socialAccountIds: [account], content: 'A', mediaUrls: [german] }
  expect((await kit.api.posts.validate({ body: attached })).issues).toMatchObject([{ code: 'media_type' }])
})

test('rejects invalid posts at schedule time', async () => {
  const { id: asset } = await uploadVideo(kit)
  const body = { socialAccountIds: [account], content: 'Hi', mediaUrls: [asset] }
  const codes = async (more: object) => {
    const { issues } = await kit.api.posts.validate({ body: { ...body, ...more } })
    return issues.map(({ code }) => code)
  }
  expect(await codes({})).toEqual([])
  expect(await codes({ metadata: { youtube: { title: 'x'.repeat(101) } } })).toEqual(['metadata_invalid'])
  expect(await codes({ metadata: { youtube: { title: 'a <b>' } } })).toEqual(['metadata_invalid'])
  const thumbnail = (thumbnailMediaAssetId: string) => codes({ metadata: { youtube: { thumbnailMediaAssetId } } })
  expect(await thumbnail((await uploadPng(kit)).id)).toEqual([])
  expect(await thumbnail('med_nothing')).toEqual(['media_not_found'])
  expect(await thumbnail(asset)).toEqual(['media_type'])
  expect(await codes({ content: 'a <b>' })).toEqual(['content_invalid'])
  expect(await codes({ content: 'ü'.repeat(2501) })).toEqual(['content_length'])
  expect(await codes({ mediaUrls: [] })).toEqual(['media_count'])
  expect(await codes({ mediaUrls: [(await uploadPng(kit)).id] })).toEqual(['media_type'])
})
