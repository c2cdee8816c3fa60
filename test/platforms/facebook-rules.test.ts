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
const codesOf = (content: string, media: readonly MediaFile[] = []) =>
  checkPost(definition, { socialAccountId: 'acc', content, metadata: undefined, media }).map(({ code }) => code)

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
]
test.each(limits)('the limit of %s', (_, codesAt, most, code) => {
  expect([most > 1 ? codesAt(most - 1) : [], codesAt(most), codesAt(most + 1)]).toEqual([[], [], [code]])
})

test('accepts text or photos of every image type, and no video', () => {
  expect(codesOf('')).toEqual(['content_empty'])
  expect(codesOf('', [image()])).toEqual([])
  expect(codesOf('the same https://x.test and https://x.test')).toEqual([])
  for (const mimeType of ['image/png', 'image/gif', 'image/webp'])
    expect(codesOf('', [image({ mimeType })])).toEqual([])
  expect(codesOf('x', [image({ mimeType: 'video/mp4' })])).toEqual(['media_type'])
  expect(definition.rules.media[0]?.image?.sent).toEqual({ types: ['image/jpeg', 'image/png'], maxBytes: 4_000_000 })
})
