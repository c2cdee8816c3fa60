import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { checkPost } from '../../shared/platforms/rules/check-post.ts'
import { tiktok as connector } from '../../shared/platforms/tiktok/connect.ts'
import { definition } from '../../shared/platforms/tiktok/definition.ts'
import { tiktok } from '../../shared/platforms/tiktok/publish.ts'
import { planChunks } from '../../shared/platforms/tiktok/upload.ts'
import { anyVideo } from './any-file.ts'
import { visit } from './visit.ts'

const { platforms, open } = await visit(tiktok, connector)

test('chunks follow TikTok’s rules for every video size, and the last one is small', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_073_741_824 }), (size) => {
      const { chunkSize, count, lastFrom } = planChunks(size)
      const last = size - lastFrom
      expect(last).toBeGreaterThan(0)
      expect(last).toBeLessThan(20_000_000)
      expect(lastFrom).toBe((count - 1) * chunkSize)
      expect(count).toBeLessThanOrEqual(1000)
      expect(chunkSize === size).toBe(count === 1)
      if (count > 1) expect(chunkSize).toBeGreaterThanOrEqual(5 * 1024 * 1024)
      expect(count).toBe(Math.floor(size / chunkSize))
    }),
  )
  expect(planChunks(19_999_999).count).toBe(1)
  expect(planChunks(20_000_000)).toEqual({ chunkSize: 10_000_000, count: 2, lastFrom: 10_000_000 })
})

const codes = (post: object) =>
  checkPost(definition, {
    socialAccountId: 'acc_1',
    content: 'Hi',
    metadata: { privacyLevel: 'SELF_ONLY' },
    media: [anyVideo()],
    ...post,
  }).map(({ code, message }) => `${code}: ${message}`)

test.each([
  ['letters', 'x', 2200],
  ['emoji of two units', '😀', 1100],
  ['families', '👨‍👩‍👧‍👦', 200],
  ['CJK', '漢', 2200],
  ['combining marks', 'e\u0301', 1100],
])('the text in %s: one below, at and above the limit', (_, letter, limit) => {
  for (const fieldName of ['content', 'title']) {
    const of = (n: number) =>
      fieldName === 'content'
        ? { content: letter.repeat(n) }
        : { content: 'x', metadata: { privacyLevel: 'SELF_ONLY', title: letter.repeat(n) } }
    expect(codes(of(limit - 1))).toEqual([])
    expect(codes(of(limit))).toEqual([])
    const first = `content_length: TikTok: ${(limit + 1) * letter.length}/2200 characters.`
    expect(codes(of(limit + 1))[0]).toBe(first)
  }
})

test.each([
  ['fileSize', [1_073_741_823, 1_073_741_824], [1_073_741_825], 'media_size'],
  ['width', [360, 361, 4095, 4096], [359, 4097], 'media_dimensions'],
  ['height', [360, 361, 4095, 4096], [359, 4097], 'media_dimensions'],
  ['durationMs', [599_999, 600_000], [600_001], 'media_duration'],
])('%s at its bounds', (field, good, bad, code) => {
  for (const value of good) expect(codes({ media: [anyVideo({ [field]: value })] })).toEqual([])
  for (const value of bad)
    expect(codes({ media: [anyVideo({ [field]: value })] })).toEqual([expect.stringMatching(`^${code}`)])
})

test('requires exactly one video and a privacy level', () => {
  expect(codes({ media: [] })).toEqual(['media_count: TikTok: 0/1 files.'])
  expect(codes({ media: [anyVideo(), anyVideo()] })).toEqual(['media_count: TikTok: 2/1 files.'])
  expect(codes({ media: [anyVideo({ mimeType: 'image/png' })] })).toEqual(['media_type: TikTok: a.mp4 is image/png.'])
  expect(codes({ media: [anyVideo({ mimeType: 'video/quicktime' })] })).toEqual([])
  expect(codes({ content: '' })).toEqual([])
  expect(codes({ metadata: undefined })).toEqual([expect.stringMatching(/^metadata_required/)])
  const level = (more: object) => ({ metadata: { privacyLevel: 'SELF_ONLY', ...more } })
  for (const more of [
    { privacyLevel: 'PUBLIC' },
    { privacyLevel: undefined },
    { disableDuet: 'no' },
    { disableComment: 1 },
    { disableStitch: null },
    { videoCoverTimestampMs: -1 },
    { videoCoverTimestampMs: '1' },
    { brandContentToggle: 'yes' },
    { brandOrganicToggle: 1 },
    { isAigc: null },
  ]) {
    expect(codes(level(more))).toEqual([expect.stringMatching(/^metadata_invalid/)])
  }
  expect(codes(level({ videoCoverTimestampMs: 0, disableDuet: true, more: 1 }))).toEqual([])
})

test('a paid partnership cannot be private; an own brand and the label of AI can', () => {
  const of = (metadata: object) => checkPost(definition, { ...post, metadata })
  const post = { socialAccountId: 'acc_1', content: 'Hi', media: [anyVideo()] }
  for (const privacyLevel of ['PUBLIC_TO_EVERYONE', 'MUTUAL_FOLLOW_FRIENDS', 'FOLLOWER_OF_CREATOR']) {
    expect(of({ privacyLevel, brandContentToggle: true })).toEqual([])
  }
  expect(of({ privacyLevel: 'SELF_ONLY', brandContentToggle: false, brandOrganicToggle: true, isAigc: true })).toEqual(
    [],
  )
  expect(of({ privacyLevel: 'SELF_ONLY', brandContentToggle: true })).toEqual([
    {
      socialAccountId: 'acc_1',
      platform: 'tiktok',
      code: 'metadata_invalid',
      field: 'metadata.tiktok.privacyLevel',
      message: 'TikTok: a paid partnership cannot be SELF_ONLY.',
      next: 'Choose another privacyLevel, or leave out metadata.tiktok.brandContentToggle.',
    },
  ])
})

const Refused = z.object({ error: z.object({ code: z.string() }) })

test('the stand-in rejects what TikTok rejects', async () => {
  const { account } = await open()
  const post = (path: string, body: string, type = 'application/json; charset=UTF-8') =>
    fetch(`${platforms.urls['tiktok']}/v2/post/publish${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${account.credentials['accessToken']}`, 'content-type': type },
      body,
    }).then(async (answer) => [answer.status, Refused.parse(await answer.json()).error.code])
  const init = (info: object, source: object) =>
    post(
      '/video/init/',
      JSON.stringify({
        post_info: { privacy_level: 'SELF_ONLY', ...info },
        source_info: { source: 'FILE_UPLOAD', video_size: 1000, chunk_size: 1000, total_chunk_count: 1, ...source },
      }),
    )
  expect(await init({}, {})).toEqual([200, 'ok'])
  const bad: [object, object][] = [
    [{ title: 'x'.repeat(2201) }, {}],
    [{ unknown: 1 }, {}],
    [{ brand_content_toggle: true }, {}],
    [{}, { chunk_size: 999 }],
    [{}, { video_size: 65_000_000, chunk_size: 65_000_000 }],
    [{}, { video_size: 10_000_000, chunk_size: 5_000_000, total_chunk_count: 2 }],
    [{}, { video_size: 25_000_000, chunk_size: 10_000_000, total_chunk_count: 3 }],
  ]
  for (const parameters of bad) expect(await init(...parameters)).toEqual([400, 'invalid_params'])
  expect(await init({ privacy_level: 'FOLLOWER_OF_CREATOR' }, {})).toEqual([403, 'privacy_level_option_mismatch'])
  expect(await post('/creator_info/query/', '', 'application/json')).toEqual([400, 'invalid_params'])
  expect(await post('/status/fetch/', '{"publish_id":"other"}')).toEqual([400, 'invalid_publish_id'])
})
