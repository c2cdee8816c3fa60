import { expect, test } from 'vitest'
import type { MediaFile } from '../../shared/media/media-file.ts'
import { definition } from '../../shared/platforms/instagram/definition.ts'
import { checkPost } from '../../shared/platforms/rules/check-post.ts'

const image = (more: Partial<MediaFile> = {}): MediaFile => ({
  id: 'm',
  storageKey: 'm',
  mimeType: 'image/jpeg',
  fileSize: 1,
  originalFilename: 'a',
  width: 100,
  height: 100,
  ...more,
})
const movie = (more: Partial<MediaFile> = {}) => image({ mimeType: 'video/mp4', durationMs: 5000, ...more })
const many = <T>(count: number, make: (n: number) => T) => Array.from({ length: count }, (_, n) => make(n))

const codesOf = (format: string, media: readonly MediaFile[], metadata: object = {}, content = 'x') =>
  checkPost(definition, { socialAccountId: 'acc', content, metadata: { format, ...metadata }, media }).map(
    ({ code }) => code,
  )
const inFeed = (metadata: object, content?: string) => codesOf('feed_image', [image()], metadata, content)

/** `most` is the largest valid value, `code` the issue for one more. */
const limits: readonly [string, (n: number) => string[], number, string][] = [
  ['the content', (n) => inFeed({}, 'x'.repeat(n)), 2200, 'content_length'],
  ['a description', (n) => inFeed({ altText: 'x'.repeat(n) }), 1000, 'metadata_invalid'],
  ['collaborators', (n) => inFeed({ collaborators: many(n, () => 'ann') }), 3, 'metadata_invalid'],
  ['the name of one', (n) => inFeed({ collaborators: ['x'.repeat(n)] }), 30, 'metadata_invalid'],
  ['hashtags', (n) => inFeed({}, many(n, (i) => `#tag${i}`).join(' ')), 5, 'hashtag_limit'],
  ['hashtags of a caption', (n) => inFeed({ caption: many(n, (i) => `#tag${i}`).join(' ') }), 5, 'hashtag_limit'],
  ['mentions', (n) => inFeed({}, many(n, (i) => `@ann${i}`).join(' ')), 20, 'mention_limit'],
  [
    'the shape of a feed image',
    (n) => codesOf('feed_image', [image({ width: n, height: 100 })]),
    191,
    'media_dimensions',
  ],
  [
    'the height of a feed image',
    (n) => codesOf('feed_image', [image({ width: 80, height: n })]),
    100,
    'media_dimensions',
  ],
  ['bytes of an image', (n) => codesOf('feed_image', [image({ fileSize: n })]), 50_000_000, 'media_size'],
  [
    'files of a carousel',
    (n) =>
      codesOf(
        'carousel',
        many(n, () => image()),
      ),
    10,
    'media_count',
  ],
  ['a film in a carousel', (n) => codesOf('carousel', [image(), movie({ durationMs: n })]), 60_000, 'media_duration'],
  ['a reel', (n) => codesOf('reel', [movie({ durationMs: n })]), 900_000, 'media_duration'],
  ['bytes of a reel', (n) => codesOf('reel', [movie({ fileSize: n })]), 300_000_000, 'media_size'],
  ['the width of a reel', (n) => codesOf('reel', [movie({ width: n, height: 1000 })]), 1920, 'media_dimensions'],
  ['a moment of a reel', (n) => codesOf('reel', [movie()], { thumbOffset: n }), 5000, 'metadata_invalid'],
  ['a film in a story', (n) => codesOf('story', [movie({ durationMs: n })]), 60_000, 'media_duration'],
  ['bytes of a film in a story', (n) => codesOf('story', [movie({ fileSize: n })]), 100_000_000, 'media_size'],
]
test('an image of 1200 × 628 is 1.91:1', () => {
  expect(codesOf('feed_image', [image({ width: 1200, height: 628 })])).toEqual([])
})

test.each(limits)('the limit of %s', (_, codesAt, max, code) => {
  expect([codesAt(max - 1), codesAt(max), codesAt(max + 1)]).toEqual([[], [], [code]])
})

const least: readonly [string, (n: number) => string[], number, string][] = [
  [
    'files of a carousel',
    (n) =>
      codesOf(
        'carousel',
        many(n, () => image()),
      ),
    2,
    'media_count',
  ],
  ['a reel', (n) => codesOf('reel', [movie({ durationMs: n })]), 3000, 'media_duration'],
  ['a film in a story', (n) => codesOf('story', [movie({ durationMs: n })]), 3000, 'media_duration'],
  ['a moment of a reel', (n) => codesOf('reel', [movie()], { thumbOffset: n }), 0, 'metadata_invalid'],
]
test.each(least)('the least of %s', (_, codesAt, fewest, code) => {
  expect([codesAt(fewest + 1), codesAt(fewest), codesAt(fewest - 1)]).toEqual([[], [], [code]])
})

test('a caption has its own limit and replaces the content', () => {
  expect(inFeed({ caption: 'x'.repeat(2199) }, 'y'.repeat(2200))).toEqual([])
  expect(inFeed({ caption: 'x'.repeat(2199) }, 'y'.repeat(9000))).toEqual(['content_length'])
  expect(inFeed({ caption: 'x'.repeat(2200) })).toEqual([])
  expect(inFeed({ caption: 'x'.repeat(2201) })).toEqual(['content_length', 'metadata_invalid'])
  // The strictest count: a family of four is eleven.
  expect(inFeed({}, `${'x'.repeat(2189)}👨‍👩‍👧‍👦`)).toEqual([])
  expect(inFeed({}, `${'x'.repeat(2190)}👨‍👩‍👧‍👦`)).toEqual(['content_length'])
})

test.each([
  ['nothing', 'feed_image', [], ['media_count']],
  ['two pictures in the feed', 'feed_image', [image(), image()], ['media_count']],
  ['a film in the feed', 'feed_image', [movie()], ['media_type']],
  ['pictures and films in a carousel', 'carousel', [image(), movie()], []],
  ['a picture as a reel', 'reel', [image()], ['media_type']],
  ['a film as a reel', 'reel', [movie()], []],
  ['a picture as a story', 'story', [image({ width: 9, height: 16 })], []],
  ['a film of 1:10 as a story', 'story', [movie({ width: 108, height: 1080 })], []],
  ['a narrower film as a story', 'story', [movie({ width: 107, height: 1080 })], ['media_dimensions']],
  ['two as a story', 'story', [image(), movie()], ['media_count']],
  ['an unknown format', 'post', [image()], ['metadata_invalid']],
])('%s', (_, format, media, codes) => {
  expect(codesOf(format, media)).toEqual(codes)
})

test('requires a format; a story has no collaborators; converts every image type to JPEG', () => {
  const without = { socialAccountId: 'acc', content: 'x', metadata: undefined, media: [image()] }
  expect(checkPost(definition, without).map(({ code }) => code)).toEqual(['metadata_required'])
  expect(codesOf('story', [image()], { collaborators: ['ann'] })).toEqual(['metadata_invalid'])
  expect(codesOf('story', [image()], { collaborators: [] })).toEqual([])
  expect(inFeed({ collaborators: ['not a name'] })).toEqual(['metadata_invalid'])
  expect(inFeed({ shareToFeed: 'yes' })).toEqual(['metadata_invalid'])
  expect(inFeed({ other: 'kept' })).toEqual([])
  expect(inFeed({ colaborators: ['ann'] })).toEqual(['metadata_invalid'])
  for (const mimeType of ['image/png', 'image/gif', 'image/webp']) {
    expect(codesOf('feed_image', [image({ mimeType })])).toEqual([])
  }
  for (const rule of definition.rules.media) {
    if (rule.image) expect(rule.image.sent).toEqual({ types: ['image/jpeg'], maxBytes: 8_000_000 })
  }
})

const findings = (format: string, media: readonly MediaFile[], metadata: object) =>
  checkPost(definition, { socialAccountId: 'acc', content: 'x', metadata: { format, ...metadata }, media }).map(
    ({ field }) => field?.replace('metadata.instagram', ''),
  )
const tag = (more: object = {}) => ({ username: 'ann', x: 0.5, y: 0.5, ...more })
const tagged = (format: string, media: readonly MediaFile[], ...userTags: object[]) =>
  findings(format, media, { userTags })

test('at most 20 accounts are tagged, each by its name and in the bounds of the image', () => {
  for (const count of [0, 19, 20]) {
    const userTags = many(count, () => tag())
    expect(findings('feed_image', [image()], { userTags })).toEqual([])
  }
  expect(findings('feed_image', [image()], { userTags: many(21, () => tag()) })).toEqual(['.userTags'])
  for (const [field, good, wrong] of [
    ['x', [0, 0.001, 0.999, 1], [-0.001, 1.001, '0.5', null]],
    ['y', [0, 1], [-0.001, 1.001, '0.5', null]],
    ['username', ['a', '@ann.b', 'x'.repeat(30)], ['', 'not a name', 'x'.repeat(31), 7]],
  ] as const) {
    for (const value of good) expect(tagged('feed_image', [image()], tag({ [field]: value }))).toEqual([])
    for (const value of wrong) {
      expect(tagged('feed_image', [image()], tag({ [field]: value }))).toEqual([`.userTags.0.${field}`])
    }
  }
})

test('a tag has a position on an image, none on a reel, and both or none on a story', () => {
  const bare = { username: 'ann' }
  const half = { username: 'ann', x: 0.5 }
  for (const wrong of [bare, half, tag({ mediaIndex: 0 })]) {
    expect(tagged('feed_image', [image()], tag(), wrong)).toEqual(['.userTags.1'])
  }
  expect(tagged('reel', [movie()], bare)).toEqual([])
  for (const wrong of [tag(), half, { ...bare, mediaIndex: 0 }]) {
    expect(tagged('reel', [movie()], wrong)).toEqual(['.userTags.0'])
  }
  for (const good of [bare, tag()]) expect(tagged('story', [image()], good)).toEqual([])
  for (const wrong of [half, tag({ mediaIndex: 0 })]) {
    expect(tagged('story', [image()], wrong)).toEqual(['.userTags.0'])
  }
})

test('a tag of a carousel is on one of its images', () => {
  const media = [image(), movie(), image()]
  for (const mediaIndex of [0, 2]) expect(tagged('carousel', media, tag({ mediaIndex }))).toEqual([])
  expect(tagged('carousel', media, tag())).toEqual([])
  for (const mediaIndex of [1, 3]) expect(tagged('carousel', media, tag({ mediaIndex }))).toEqual(['.userTags.0'])
  for (const mediaIndex of [-1, 0.5, '0']) {
    expect(tagged('carousel', media, tag({ mediaIndex }))).toEqual(['.userTags.0.mediaIndex'])
  }
  expect(tagged('carousel', [movie(), image()], tag())).toEqual(['.userTags.0'])
  expect(tagged('carousel', media, { username: 'ann', mediaIndex: 0 })).toEqual(['.userTags.0'])
})

test('only a reel can be a trial, and says who ends it', () => {
  for (const graduationStrategy of ['MANUAL', 'SS_PERFORMANCE']) {
    expect(findings('reel', [movie()], { trialParams: { graduationStrategy } })).toEqual([])
    expect(findings('feed_image', [image()], { trialParams: { graduationStrategy } })).toEqual([''])
  }
  for (const graduationStrategy of ['manual', '', null, undefined]) {
    expect(findings('reel', [movie()], { trialParams: { graduationStrategy } })).toEqual([
      '.trialParams.graduationStrategy',
    ])
  }
})
