import { expect, test } from 'vitest'
import type { MediaFile } from '../../shared/media/media-file.ts'
import { reddit } from '../../shared/platforms/reddit/publish.ts'
import { checkPost } from '../../shared/platforms/rules/check-post.ts'
import { anyPicture } from './any-file.ts'
import { base } from './reddit-visit.ts'

const check = (metadata: object, content = '', media: readonly Partial<MediaFile>[] = [], assets = {}) =>
  checkPost(reddit, {
    socialAccountId: 'acc',
    content,
    metadata: { ...base, ...metadata },
    media: media.map((more) => anyPicture(more)),
    assets,
  }).map(({ code }) => code)

test.each([
  ['a title', 'title', '漢', 300, ['metadata_invalid']],
  ['a title beyond the first plane', 'title', '😀', 300, ['metadata_invalid']],
  ['a body', 'body', '😀', 40_000, ['content_length', 'metadata_invalid']],
  ['the text of a flair', 'flairText', '😀', 64, ['metadata_invalid']],
] as const)('%s: one below, at and above the limit', (_, field, letter, limit, codes) => {
  expect(check({ [field]: letter.repeat(limit - 1) })).toEqual([])
  expect(check({ [field]: letter.repeat(limit) })).toEqual([])
  expect(check({ [field]: letter.repeat(limit + 1) })).toEqual(codes)
})

test('the content is the text where the metadata has none', () => {
  expect(check({}, 'x'.repeat(40_000))).toEqual([])
  expect(check({}, 'x'.repeat(40_001))).toEqual(['content_length'])
  expect(check({ body: 'short' }, 'x'.repeat(40_001))).toEqual(['content_length'])
})

test('validates subreddit names, titles, and URLs', () => {
  for (const subreddit of ['ab', 'r/ab', '/r/AskReddit', 'u_some-one', 'x'.repeat(24)])
    expect(check({ subreddit })).toEqual([])
  for (const subreddit of ['a', 'x'.repeat(25), 'ask reddit', 'r/', '']) {
    expect(check({ subreddit })).toEqual(['metadata_invalid'])
  }
  for (const title of ['', ' ', 'two\nlines']) expect(check({ title })).toEqual(['metadata_invalid'])
  const link = (length: number) => `https://a.test/${'x'.repeat(length - 15)}`
  expect(check({ kind: 'link', url: link(2047) })).toEqual([])
  expect(check({ kind: 'link', url: link(2048) })).toEqual([])
  expect(check({ kind: 'link', url: link(2049) })).toEqual(['metadata_invalid'])
  expect(check({ kind: 'link', url: 'ftp://a.test' })).toEqual(['metadata_invalid'])
  expect(check({ kind: 'link' })).toEqual(['metadata_invalid'])
  expect(check({ kind: 'gallery' })).toEqual(['metadata_invalid'])
})

test('each kind has its own media rule', () => {
  const film = { mimeType: 'video/mp4' }
  const poster = { posterMediaAssetId: anyPicture() }
  const video = { kind: 'video', posterMediaAssetId: 'asset' }
  expect(check({ kind: 'image' }, '', [{}])).toEqual([])
  expect(check({ kind: 'image' })).toEqual(['media_count'])
  expect(check({ kind: 'image' }, '', [{}, {}])).toContain('media_count')
  expect(check({ kind: 'image' }, '', [film])).toContain('media_type')
  expect(check({ kind: 'image' }, '', [{ fileSize: 50_000_000 }])).toEqual([])
  expect(check({ kind: 'image' }, '', [{ fileSize: 50_000_001 }])).toEqual(['media_size'])
  expect(check(video, '', [film], poster)).toEqual([])
  // A neutral picture stands for it.
  expect(check({ kind: 'video' }, '', [film])).toEqual([])
  expect(check(video, '', [film], { posterMediaAssetId: anyPicture(film) })).toEqual(['media_type'])
  expect(check(video, '', [{ ...film, fileSize: 999_999_999 }], poster)).toEqual([])
  expect(check(video, '', [{ ...film, fileSize: 1_000_000_000 }], poster)).toEqual([])
  expect(check(video, '', [{ ...film, fileSize: 1_000_000_001 }], poster)).toEqual(['media_size'])
  expect(check(video, '', [{ ...film, durationMs: 899_999 }], poster)).toEqual([])
  expect(check(video, '', [{ ...film, durationMs: 900_000 }], poster)).toEqual([])
  expect(check(video, '', [{ ...film, durationMs: 900_001 }], poster)).toEqual(['media_duration'])
  expect(check({ kind: 'self' }, '', [{}])).toEqual(['media_count'])
  expect(check({ kind: 'link', url: 'https://a.test' }, '', [film])).toEqual(['media_count'])
})

test('a crosspost names its post, and has no text and no media', () => {
  const crosspost = { kind: 'crosspost', crosspostFullname: 't3_1abcde' }
  expect(check(crosspost)).toEqual([])
  expect(check({ ...crosspost, body: '' }, 'For other accounts')).toEqual([])
  for (const crosspostFullname of ['t3_1', `t3_${'z'.repeat(13)}`]) {
    expect(check({ kind: 'crosspost', crosspostFullname })).toEqual([])
  }
  for (const crosspostFullname of ['1abcde', 't1_1abcde', 't3_', 't3_1ABC', `t3_${'z'.repeat(14)}`, 1]) {
    expect(check({ kind: 'crosspost', crosspostFullname })).toEqual(['metadata_invalid'])
  }
  expect(check({ kind: 'crosspost' })).toEqual(['metadata_invalid'])
  expect(check({ crosspostFullname: 't3_1abcde' })).toEqual(['metadata_invalid'])
  expect(check(crosspost, 'A text')).toEqual(['metadata_invalid'])
  expect(check({ ...crosspost, body: 'A text' })).toEqual(['metadata_invalid'])
  expect(check(crosspost, '', [{}])).toEqual(['media_count'])
})

test('a poll has 2 to 6 choices of 120 characters, is open for 1 to 7 days, and belongs to a text', () => {
  const poll = { options: ['Rye', 'Spelt'], durationDays: 3 }
  const of = (more: object) => check({ poll: { ...poll, ...more } }, 'A text')
  for (const count of [2, 5, 6]) expect(of({ options: Array(count).fill('a') })).toEqual([])
  for (const count of [1, 7]) expect(of({ options: Array(count).fill('a') })).toEqual(['metadata_invalid'])
  for (const count of [119, 120]) expect(of({ options: ['a', 'x'.repeat(count)] })).toEqual([])
  for (const option of ['x'.repeat(121), ' ', 1]) expect(of({ options: ['a', option] })).toEqual(['metadata_invalid'])
  for (const durationDays of [1, 2, 6, 7]) expect(of({ durationDays })).toEqual([])
  for (const durationDays of [0, 8, 1.5, undefined]) expect(of({ durationDays })).toEqual(['metadata_invalid'])
  expect(check({ poll, kind: 'link', url: 'https://a.test' })).toEqual(['metadata_invalid'])
  expect(check({ poll, kind: 'image' }, '', [{}])).toEqual(['metadata_invalid'])
})

test('a gallery has 2 to 20 images, and up to one caption of 180 characters for each', () => {
  const gallery = { kind: 'image', format: 'gallery' }
  const of = (count: number, more: object = {}) => check({ ...gallery, ...more }, '', Array(count).fill({}))
  for (const count of [2, 19, 20]) expect(of(count)).toEqual([])
  for (const count of [1, 21]) expect(of(count)).toContain('media_count')
  expect(check(gallery, '', [{}, { mimeType: 'video/mp4' }])).toContain('media_type')
  expect(check(gallery, '', [{}, { fileSize: 50_000_001 }])).toEqual(['media_size'])
  for (const length of [0, 179, 180]) expect(of(2, { captions: ['x'.repeat(length)] })).toEqual([])
  expect(of(2, { captions: ['x'.repeat(181)] })).toEqual(['metadata_invalid'])
  for (const count of [1, 2]) expect(of(2, { captions: Array(count).fill('a') })).toEqual([])
  expect(of(2, { captions: ['a', 'b', 'c'] })).toEqual(['metadata_invalid'])
  expect(check({ kind: 'image', captions: ['a'] }, '', [{}])).toEqual(['metadata_invalid'])
  expect(check({ kind: 'self', format: 'gallery' })).toEqual(['metadata_invalid'])
  expect(check({ kind: 'image', format: 'carousel' }, '', [{}])).toEqual(['metadata_invalid'])
})
