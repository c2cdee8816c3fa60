import { expect, test } from 'vitest'
import type { MediaFile } from '../../shared/media/media-file.ts'
import { definition } from '../../shared/platforms/facebook/definition.ts'
import { checkPost } from '../../shared/platforms/rules/check-post.ts'

const image = (more: Partial<MediaFile> = {}): MediaFile => ({
  id: 'm',
  storageKey: 'm',
  mimeType: 'image/jpeg',
  fileSize: 1,
  originalFilename: 'a',
  ...more,
})
const many = <T>(count: number, make: (n: number) => T) => Array.from({ length: count }, (_, n) => make(n))
const codesOf = (content: string, media: readonly MediaFile[] = [], metadata?: unknown) =>
  checkPost(definition, { socialAccountId: 'acc', content, metadata, media }).map(({ code }) => code)
const film = (more: Partial<MediaFile> = {}) =>
  image({ mimeType: 'video/mp4', width: 1080, height: 1920, durationMs: 15_000, ...more })
const as = (format: string, media: readonly MediaFile[], content = '') => codesOf(content, media, { format })
/** 9:16, but for the side that a test measures. */
const tall = (width: number) => film({ width, height: Math.round((width * 16) / 9) })

const limits: readonly [string, (n: number) => string[], number, string][] = [
  ['the text', (n) => codesOf('x'.repeat(n)), 63_206, 'content_length'],
  ['the text in UTF-16', (n) => codesOf(`${'x'.repeat(n - 11)}👨‍👩‍👧‍👦`), 63_206, 'content_length'],
  ['links', (n) => codesOf(many(n, (i) => `https://x.test/${i}`).join(' ')), 1, 'link_limit'],
  [
    'photos',
    (n) =>
      codesOf(
        'x',
        many(n, () => image()),
      ),
    10,
    'media_count',
  ],
  ['bytes of a photo', (n) => codesOf('x', [image({ fileSize: n })]), 50_000_000, 'media_size'],
  ['bytes of a video', (n) => as('video', [film({ fileSize: n })]), 1_073_741_824, 'media_size'],
  ['bytes of a reel', (n) => as('reel', [film({ fileSize: n })]), 1_073_741_824, 'media_size'],
  ['a reel', (n) => as('reel', [film({ durationMs: n })]), 90_000, 'media_duration'],
  ['a video story', (n) => as('video_story', [film({ durationMs: n })]), 60_000, 'media_duration'],
  ['the width of a reel', (n) => as('reel', [film({ width: n, height: 2000 })]), 1150, 'media_dimensions'],
  ['the text of a reel', (n) => as('reel', [film()], 'x'.repeat(n)), 63_206, 'content_length'],
]
test.each(limits)('the limit of %s', (_, codesAt, max, code) => {
  expect([max > 1 ? codesAt(max - 1) : [], codesAt(max), codesAt(max + 1)]).toEqual([[], [], [code]])
})

const least: readonly [string, (n: number) => string[], number, string][] = [
  ['a reel', (n) => as('reel', [film({ durationMs: n })]), 3_000, 'media_duration'],
  ['a video story', (n) => as('video_story', [film({ durationMs: n })]), 3_000, 'media_duration'],
  ['the width of a reel', (n) => as('reel', [tall(n)]), 540, 'media_dimensions'],
  ['the height of a reel', (n) => as('reel', [film({ width: 540, height: n })]), 960, 'media_dimensions'],
  ['the width with a fixed height', (n) => as('reel', [film({ width: n, height: 2000 })]), 1100, 'media_dimensions'],
]
test.each(least)('the least of %s', (_, codesAt, fewest, code) => {
  expect([...new Set(codesAt(fewest - 1))]).toEqual([code])
  expect([codesAt(fewest), codesAt(fewest + 1)]).toEqual([[], []])
})

test('each format takes one file of its kind', () => {
  for (const format of ['video', 'reel', 'video_story']) {
    expect(as(format, [film()])).toEqual([])
    expect(as(format, [film({ mimeType: 'video/quicktime' })])).toEqual([])
    expect(as(format, [image()])).toEqual(['media_type'])
    expect(as(format, [film(), film()])).toEqual(['media_count'])
  }
  expect(as('video', [film({ width: 1920, height: 1080, durationMs: 3_600_000 })])).toEqual([])
  expect(as('video', [])).toEqual(['content_empty', 'media_count'])
  expect(as('photo_story', [image({ mimeType: 'image/webp' })])).toEqual([])
  expect(as('photo_story', [image(), image()])).toEqual(['media_count'])
  expect(as('photo_story', [film()])).toEqual(['media_type'])
})

test('a story has no text, and says so', () => {
  const [issue, ...more] = checkPost(definition, {
    socialAccountId: 'acc',
    content: 'Bread',
    metadata: { format: 'video_story' },
    media: [film()],
  })
  expect(more).toEqual([])
  expect(issue).toMatchObject({
    code: 'content_invalid',
    field: 'content',
    message: 'Facebook: a story shows no text.',
    next: 'Leave the content empty, or choose another metadata.facebook.format.',
  })
  expect(as('photo_story', [image()], 'Bread')).toEqual(['content_invalid'])
  expect(as('photo_story', [image()], ' ')).toEqual([])
})

test('a format that is not known is named, and a block without one changes nothing', () => {
  for (const format of ['story', 'REEL', '', 7, null]) {
    expect(codesOf('x', [], { format })).toEqual(['metadata_invalid'])
  }
  expect(codesOf('x', [image(), image()], { note: 'ours' })).toEqual([])
  expect(codesOf('x', [film()], {})).toEqual(['media_type'])
})

test('accepts text or photos of every image type, and no video', () => {
  expect(codesOf('')).toEqual(['content_empty'])
  expect(codesOf('', [image()])).toEqual([])
  expect(codesOf('the same https://x.test and https://x.test')).toEqual([])
  for (const mimeType of ['image/png', 'image/gif', 'image/webp'])
    expect(codesOf('', [image({ mimeType })])).toEqual([])
  expect(codesOf('x', [image({ mimeType: 'video/mp4' })])).toEqual(['media_type'])
  expect(definition.rules.media.at(-1)?.image?.sent).toEqual({
    types: ['image/jpeg', 'image/png'],
    maxBytes: 4_000_000,
  })
})
