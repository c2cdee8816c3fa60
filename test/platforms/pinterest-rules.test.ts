import { expect, test } from 'vitest'
import type { MediaFile } from '../../shared/media/media-file.ts'
import { pinterest } from '../../shared/platforms/pinterest/publish.ts'
import { checkPost } from '../../shared/platforms/rules/check-post.ts'
import { anyPicture } from './any-file.ts'
import { boardId, metadata } from './pinterest-visit.ts'

const check = (block: unknown, media: readonly Partial<MediaFile>[] = [{}], content = 'unused') =>
  checkPost(pinterest, {
    socialAccountId: 'acc',
    content,
    metadata: block,
    media: media.map((more) => anyPicture(more)),
  }).map(({ code }) => code)

test.each([
  ['a title', 'title', 'x', 100, ['metadata_invalid']],
  ['a title beyond the first plane', 'title', '😀', 100, ['metadata_invalid']],
  ['a description', 'description', '漢', 800, ['content_length', 'metadata_invalid']],
  ['a description beyond the first plane', 'description', '😀', 800, ['content_length', 'metadata_invalid']],
] as const)('%s: one below, at and above the limit', (_, field, letter, limit, codes) => {
  expect(check({ ...metadata, [field]: letter.repeat(limit - 1) })).toEqual([])
  expect(check({ ...metadata, [field]: letter.repeat(limit) })).toEqual([])
  expect(check({ ...metadata, [field]: letter.repeat(limit + 1) })).toEqual(codes)
})

test('accepts a link of 2048 characters', () => {
  const link = (length: number) => `https://a.test/${'x'.repeat(length - 15)}`
  expect(check({ ...metadata, link: link(2047) })).toEqual([])
  expect(check({ ...metadata, link: link(2048) })).toEqual([])
  expect(check({ ...metadata, link: link(2049) })).toEqual(['metadata_invalid'])
  expect(check({ ...metadata, link: 'ftp://a.test' })).toEqual(['metadata_invalid'])
})

test('requires exactly one image of at most 50 MB', () => {
  expect(check(metadata, [])).toEqual(['media_count'])
  expect(check(metadata, [{}, {}])).toContain('media_count')
  expect(check(metadata, [{ fileSize: 49_999_999 }])).toEqual([])
  expect(check(metadata, [{ fileSize: 50_000_000 }])).toEqual([])
  expect(check(metadata, [{ fileSize: 50_000_001 }])).toEqual(['media_size'])
  expect(check(metadata, [{ mimeType: 'video/mp4' }])).toContain('media_type')
  expect(check(metadata, [{}], 'x'.repeat(800))).toEqual([])
  expect(check(metadata, [{}], 'x'.repeat(5000))).toEqual(['content_length'])
  expect(check(undefined)).toEqual(['metadata_required'])
  expect(check({ ...metadata, boardId: 'summer' })).toEqual(['metadata_invalid'])
  expect(check({ boardId })).toEqual(['metadata_invalid', 'metadata_invalid'])
})
