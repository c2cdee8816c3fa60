import { expect, test } from 'vitest'
import type { MediaFile } from '../../shared/media/media-file.ts'
import { checkPost } from '../../shared/platforms/rules/check-post.ts'
import { contentOf } from '../../shared/platforms/wordpress/content.ts'
import { definition } from '../../shared/platforms/wordpress/definition.ts'

const file = (more: Partial<MediaFile> = {}): MediaFile => ({
  id: 'm',
  storageKey: 'm',
  mimeType: 'image/jpeg',
  fileSize: 1,
  originalFilename: 'a',
  width: 100,
  height: 100,
  ...more,
})
const issues = (content: string, metadata?: object, media: readonly MediaFile[] = []) =>
  checkPost(definition, { socialAccountId: 'acc', content, metadata, media }).map(({ code, field }) =>
    field?.startsWith('metadata') ? `${code} ${field}` : code,
  )
const wrong = (field: string) => [`metadata_invalid metadata.wordpress.${field}`]
const names = (count: number) => Array.from({ length: count }, (_, n) => `name ${n}`)
const xs = (length: number) => 'x'.repeat(length)

test('a text has at most 100,000 characters, and is needed without media', () => {
  expect([issues(xs(99_999)), issues(xs(100_000)), issues(xs(100_001))]).toEqual([[], [], ['content_length']])
  expect(issues(' ')).toEqual(['content_empty'])
  expect(issues(' ', undefined, [file()])).toEqual([])
})

test.each([
  ['title', (n: number) => ({ title: xs(n) }), 200, 'title'],
  ['excerpt', (n: number) => ({ excerpt: xs(n) }), 1000, 'excerpt'],
  ['slug', (n: number) => ({ slug: xs(n) }), 200, 'slug'],
  ['name of a category', (n: number) => ({ categories: [xs(n)] }), 200, 'categories.0'],
  ['name of a tag', (n: number) => ({ tags: [xs(n)] }), 200, 'tags.0'],
  ['number of categories', (n: number) => ({ categories: names(n) }), 10, 'categories'],
  ['number of tags', (n: number) => ({ tags: names(n) }), 20, 'tags'],
])('%s: below, at, and above the limit', (_, metadata, max, field) => {
  expect([issues('x', metadata(max - 1)), issues('x', metadata(max)), issues('x', metadata(max + 1))]).toEqual([
    ...[[], []],
    wrong(field),
  ])
})

test.each([
  [{ title: ' ' }, 'title'],
  [{ excerpt: '' }, 'excerpt'],
  [{ slug: 'Rye' }, 'slug'],
  [{ slug: 'rye--bread' }, 'slug'],
  [{ slug: '' }, 'slug'],
  [{ categories: [] }, 'categories'],
  [{ tags: ['Rye', 'rye'] }, 'tags'],
  [{ format: 'poem' }, 'format'],
])('%j is refused', (metadata, field) => {
  expect(issues('x', metadata)).toEqual(wrong(field))
})

test('a post has up to 20 files of all kinds together', () => {
  const film = file({ mimeType: 'video/mp4', durationMs: 1000 })
  const many = (count: number) => Array.from({ length: count }, (_, n) => (n % 2 === 0 ? file() : film))
  expect([issues('x', {}, many(19)), issues('x', {}, many(20))]).toEqual([[], []])
  expect(issues('x', {}, many(21))).not.toEqual([])
})

test.each([
  ['an image', 'image/jpeg', 50_000_000],
  ['an animated GIF', 'image/gif', 8_000_000],
  ['a video', 'video/mp4', 64_000_000],
])('%s has a largest size', (_, mimeType, max) => {
  const animated = mimeType === 'image/gif' ? { frames: 2 } : {}
  const sized = (fileSize: number) => issues('x', {}, [file({ mimeType, fileSize, ...animated })])
  expect([sized(max - 1), sized(max), sized(max + 1)]).toEqual([[], [], ['media_size']])
})

test('a hostile text takes linear time', () => {
  for (const part of ['\n', '\r', '\n ', ' ', 'https://', 'https://a.example/(', '[', '&']) {
    expect(contentOf(part.repeat(100_000), [])).toEqual(expect.any(String))
  }
})
