import { expect, test } from 'vitest'
import type { MediaFile } from '../../shared/media/media-file.ts'
import { checkPost } from '../../shared/platforms/rules/check-post.ts'
import { slack } from '../../shared/platforms/slack/publish.ts'
import { anyPicture } from './any-file.ts'

const check = (
  content: string,
  media: readonly Partial<MediaFile>[] = [],
  block: unknown = { channelId: 'C0DEMO001' },
) =>
  checkPost(slack, {
    socialAccountId: 'acc',
    content,
    metadata: block,
    media: media.map((more) => anyPicture(more)),
  }).map(({ code }) => code)

test.each([
  ['letters', 'x'],
  ['characters beyond the first plane', '😀'],
  ['characters that are escaped', '&'],
  ['combining marks, each by itself', '\u0301'],
])('4000 %s: one below, at and above the limit', (_, letter) => {
  expect(check(letter.repeat(3999))).toEqual([])
  expect(check(letter.repeat(4000))).toEqual([])
  expect(check(letter.repeat(4001))).toEqual(['content_length'])
})

test('accepts up to ten files of 50 MB, and requires a channel', () => {
  expect(check('', Array(9).fill({}))).toEqual([])
  expect(check('', Array(10).fill({}))).toEqual([])
  expect(check('', Array(11).fill({}))).toContain('media_count')
  for (const mimeType of ['image/gif', 'video/mp4']) {
    expect(check('', [{ mimeType, fileSize: 49_999_999 }])).toEqual([])
    expect(check('', [{ mimeType, fileSize: 50_000_000 }])).toEqual([])
    expect(check('', [{ mimeType, fileSize: 50_000_001 }])).toEqual(['media_size'])
  }
  expect(check('', [{}, { mimeType: 'video/mp4' }])).toEqual([])
  expect(check('')).toEqual(['content_empty'])
  expect(check('Hi', [], undefined)).toEqual([])
  expect(check('Hi', [], null)).toEqual(['metadata_required'])
  for (const channel of ['general', '#general', 'D0DEMO001', 'c0demo001']) {
    expect(check('Hi', [], { channelId: channel })).toEqual(['metadata_invalid'])
  }
})
