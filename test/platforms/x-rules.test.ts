import { expect, test } from 'vitest'
import type { MediaFile } from '../../shared/media/media-file.ts'
import { mustConvert } from '../../shared/platforms/convert-files.ts'
import { checkPost } from '../../shared/platforms/rules/check-post.ts'
import { definition as wordpress } from '../../shared/platforms/wordpress/definition.ts'
import { definition } from '../../shared/platforms/x/definition.ts'
import { anyPicture } from './any-file.ts'

const gif = { mimeType: 'image/gif' }
const film = { mimeType: 'video/mp4' }
const files = (count: number, more: Partial<MediaFile> = {}) => Array.from({ length: count }, () => anyPicture(more))
const family = '👨‍👩‍👧‍👦'
const codes = (content: string, tier?: string, media: MediaFile[] = []) =>
  checkPost(definition, { socialAccountId: 'acc', tier, content, metadata: undefined, media }).map(({ code }) => code)

const ofMetadata = (metadata: unknown, media: MediaFile[] = []) =>
  checkPost(definition, { socialAccountId: 'acc', content: 'x', metadata, media }).map(
    ({ code, field }) => `${code} ${field}`,
  )
const poll = (options: unknown, durationMinutes: unknown = 60) => ofMetadata({ poll: { options, durationMinutes } })

test('a poll has two to four options of 1 to 25 characters, and is open for 5 to 10,080 minutes', () => {
  for (const count of [2, 3, 4]) expect(poll(Array(count).fill('x'))).toEqual([])
  for (const count of [1, 5]) expect(poll(Array(count).fill('x'))).toEqual(['metadata_invalid metadata.x.poll.options'])
  for (const length of [1, 24, 25]) expect(poll(['x', 'y'.repeat(length)])).toEqual([])
  for (const option of ['', ' ', 'y'.repeat(26), '😀'.repeat(13), 7]) {
    expect(poll(['x', option])).toEqual(['metadata_invalid metadata.x.poll.options.1'])
  }
  for (const minutes of [5, 6, 10_079, 10_080]) expect(poll(['x', 'y'], minutes)).toEqual([])
  for (const minutes of [4, 10_081, 5.5, '60', null]) {
    expect(poll(['x', 'y'], minutes)).toEqual(['metadata_invalid metadata.x.poll.durationMinutes'])
  }
})

test('a poll takes no media, followers see a post of a community only, and other fields have their forms', () => {
  const two = { poll: { options: ['x', 'y'], durationMinutes: 60 } }
  expect(ofMetadata(two, files(1))).toEqual(['metadata_invalid metadata.x.poll'])
  expect(ofMetadata({ replySettings: 'verified' }, files(1))).toEqual([])
  expect(ofMetadata({ shareWithFollowers: true })).toEqual(['metadata_invalid metadata.x.shareWithFollowers'])
  for (const good of [
    { shareWithFollowers: false },
    { communityId: '1', shareWithFollowers: true },
    { communityId: '1'.repeat(19) },
    ...['following', 'mentionedUsers', 'subscribers', 'verified'].map((replySettings) => ({ replySettings })),
    { madeWithAi: true, paidPartnership: false },
    {},
    null,
    undefined,
  ]) {
    expect(ofMetadata(good)).toEqual([])
  }
  for (const [field, values] of [
    ['communityId', ['', 'x', '1'.repeat(20), 7]],
    ['replySettings', ['everyone', '', null]],
    ['madeWithAi', ['yes', 1]],
    ['paidPartnership', [null]],
    ['shareWithFollowers', ['yes']],
    ['poll', ['x', null]],
  ] as const) {
    for (const value of values) expect(ofMetadata({ [field]: value })).toEqual([`metadata_invalid metadata.x.${field}`])
  }
})

test.each([
  ['letters', (n: number) => 'x'.repeat(n), 280],
  ['CJK, two each', (n: number) => '日'.repeat(n), 140],
  ['families, two each', (n: number) => family.repeat(n), 140],
  ['letters with a combining mark, composed', (n: number) => 'e\u0301'.repeat(n), 280],
  ['letters after a link of 23', (n: number) => `https://example.com/${'p'.repeat(80)} ${'x'.repeat(n)}`, 256],
])('%s: one below, at and above the limit', (_, make, limit) => {
  expect(codes(make(limit - 1))).toEqual([])
  expect(codes(make(limit))).toEqual([])
  expect(codes(make(limit + 1))).toEqual(['content_length'])
})

test('a premium account has 25,000 characters', () => {
  expect(codes('x'.repeat(25_000), 'premium')).toEqual([])
  expect(codes('x'.repeat(25_001), 'premium')).toEqual(['content_length'])
  expect(codes('x'.repeat(281), 'free')).toEqual(['content_length'])
})

test('a premium account has videos of 125 minutes', () => {
  const lasting = (durationMs: number) => codes('x', 'premium', files(1, { ...film, durationMs }))
  expect([lasting(7_500_000), lasting(7_500_001)]).toEqual([[], ['media_duration']])
})

test.each([
  ['four pictures', files(4), []],
  ['five pictures', files(5), ['media_count']],
  ['one GIF', files(1, gif), []],
  ['two GIFs', files(2, gif), ['media_count']],
  ['a picture and a GIF', [...files(1), ...files(1, gif)], ['media_type']],
  ['a video and a picture', [...files(1, film), ...files(1)], ['media_type']],
  ['two videos', files(2, film), ['media_count']],
  ['a GIF of 15 MB', files(1, { ...gif, fileSize: 15_000_000 }), []],
  ['a GIF over it', files(1, { ...gif, fileSize: 15_000_001 }), ['media_size']],
  ['a GIF of 1280 by 1080', files(1, { ...gif, width: 1280, height: 1080 }), []],
  ['a wider GIF', files(1, { ...gif, width: 1281, height: 1080 }), ['media_dimensions']],
  ['a higher GIF', files(1, { ...gif, width: 1280, height: 1081 }), ['media_dimensions']],
  ['a GIF of 350 frames', files(1, { ...gif, width: 500, height: 500, frames: 350 }), []],
  ['a GIF of more frames', files(1, { ...gif, width: 500, height: 500, frames: 351 }), ['media_dimensions']],
  ['a GIF of 300 million pixels', files(1, { ...gif, width: 1000, height: 1000, frames: 300 }), []],
  ['a GIF of more pixels', files(1, { ...gif, width: 1000, height: 1000, frames: 301 }), ['media_dimensions']],
  ['a picture of 4 by 4', files(1, { width: 4, height: 4 }), []],
  ['a narrower picture', files(1, { width: 3, height: 4 }), ['media_dimensions']],
  ['a lower picture', files(1, { width: 4, height: 3 }), ['media_dimensions']],
  // Scaled to 8192 pixels, it has 3.5 pixels, and so 4.
  ['a long picture', files(1, { width: 16_384, height: 7 }), []],
  ['a longer picture', files(1, { width: 16_384, height: 6 }), ['media_dimensions']],
  ['a long, narrow picture', files(1, { width: 6, height: 16_384 }), ['media_dimensions']],
  ['a video of 1 GiB', files(1, { ...film, fileSize: 1_073_741_824 }), []],
  ['a video over it', files(1, { ...film, fileSize: 1_073_741_825 }), ['media_size']],
  ['a video of 32 by 32', files(1, { ...film, width: 32, height: 32 }), []],
  ['a narrower small video', files(1, { ...film, width: 31, height: 32 }), ['media_dimensions']],
  ['a lower small video', files(1, { ...film, width: 32, height: 31 }), ['media_dimensions']],
  ['a video of half a second', files(1, { ...film, durationMs: 500 }), []],
  ['a shorter video', files(1, { ...film, durationMs: 499 }), ['media_duration']],
  ['a video of 20 minutes', files(1, { ...film, durationMs: 1_200_000 }), []],
  ['a longer video', files(1, { ...film, durationMs: 1_200_001 }), ['media_duration']],
  ['a video of 1:3', files(1, { ...film, width: 100, height: 300 }), []],
  ['a narrower video', files(1, { ...film, width: 99, height: 300 }), ['media_dimensions']],
  ['a video of 3:1', files(1, { ...film, width: 300, height: 100 }), []],
  ['a broader video', files(1, { ...film, width: 301, height: 100 }), ['media_dimensions']],
])('%s: %#', (_, media, expected) => {
  expect(codes('x', 'free', media)).toEqual(expected)
})

test.each([
  ['X', definition, 8192],
  ['WordPress', wordpress, 2560],
])('%s: an image with a longer side is accepted, and scaled', (_, platform, longest) => {
  const sides = (width: number, height: number) => {
    const media = [anyPicture({ width, height, isClean: true })]
    const post = { socialAccountId: 'acc', content: 'x', metadata: undefined, media }
    return [checkPost(platform, post), mustConvert(platform, undefined, { media, assets: {} })]
  }
  expect(sides(longest, longest)).toEqual([[], false])
  expect(sides(longest + 1, longest)).toEqual([[], true])
  expect(sides(longest, longest + 1)).toEqual([[], true])
})
