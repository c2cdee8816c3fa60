import { afterAll, beforeAll, expect, test } from 'vitest'
import { uploadVideo } from '../journeys/upload-video.ts'
import { type Kit, start } from '../support/start.ts'
import { connectOnce } from '../support/world/preparations.ts'
import { type ClipOptions, clip } from './clips.ts'

let kit: Kit
beforeAll(async () => {
  kit = await start()
})
afterAll(() => kit.close())

/** What a platform has against a film, which says of itself what it is. */
const issuesOf = async (platform: 'tiktok' | 'x', film: ClipOptions) => {
  const account = await connectOnce(kit, platform)
  const { id } = await uploadVideo(kit, clip(film))
  const metadata = platform === 'tiktok' ? { tiktok: { privacyLevel: 'SELF_ONLY' as const } } : {}
  const body = { socialAccountIds: [account], content: 'A film', mediaUrls: [id], metadata }
  const { issues } = await kit.api.posts.validate({ body })
  return issues.map(({ code, message }) => [code, message.split(': clip.mp4 has ')[1]])
}

test.each<['tiktok' | 'x', ClipOptions, string, string]>([
  ['tiktok', { durationMs: 601_000 }, 'media_duration', 'a duration of 601 s/600 s.'],
  ['tiktok', { width: 300 }, 'media_dimensions', 'a width of 300 px.'],
  ['tiktok', { width: 1920, height: 300, turned: true }, 'media_dimensions', 'a height of 300 px.'],
  ['x', { durationMs: 400 }, 'media_duration', 'a duration of 0.4 s.'],
  ['x', { width: 400, height: 1920 }, 'media_dimensions', 'an aspect ratio of 0.208:1.'],
])('%s validates a video by measured properties: %j', async (platform, film, code, expectedMessage) => {
  expect(await issuesOf(platform, film)).toEqual([[code, expectedMessage]])
})

test('a video within all limits is valid everywhere', async () => {
  expect(await issuesOf('tiktok', {})).toEqual([])
  expect(await issuesOf('x', {})).toEqual([])
})
