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

const channel = 'C0DEMO001'
const section = { type: 'section', text: { type: 'plain_text', text: 'Hi' } }
const ts = '1763712345.678909'

test('Markdown has 12,000 characters, counted as sent', () => {
  const markdown = { channelId: channel, format: 'markdown' }
  for (const [letter, length] of [
    ['x', 1],
    ['😀', 2],
    ['&', 1],
    ['<', 4],
  ] as const) {
    const max = 12_000 / length
    expect(check(letter.repeat(max - 1), [], markdown)).toEqual([])
    expect(check(letter.repeat(max), [], markdown)).toEqual([])
    expect(check(letter.repeat(max + 1), [], markdown)).toEqual(['content_length'])
  }
  expect(check('', [], markdown)).toEqual(['content_empty'])
  expect(check('Hi', [], { channelId: channel, format: 'mrkdwn' })).toEqual(['metadata_invalid'])
})

test('a message has 1 to 50 blocks, each an object with a type, alongside a text', () => {
  const withBlocks = (blocks: unknown, content = 'Hi') => check(content, [], { channelId: channel, blocks })
  for (const count of [1, 49, 50]) expect(withBlocks(Array(count).fill(section))).toEqual([])
  for (const count of [0, 51]) expect(withBlocks(Array(count).fill(section))).toEqual(['metadata_invalid'])
  expect(withBlocks([{ type: 'divider', kind: 1, typ: 2 }])).toEqual([])
  for (const block of ['section', null, [], {}, { type: 1 }]) expect(withBlocks([block])).toEqual(['metadata_invalid'])
  expect(withBlocks(section)).toEqual(['metadata_invalid'])
  expect(withBlocks([section], '')).toEqual(['content_empty'])
  expect(withBlocks([section], 'x'.repeat(4001))).toEqual(['content_length'])
  const long = (length: number) => [{ type: 'section', text: { type: 'mrkdwn', text: 'x'.repeat(length) } }]
  expect([withBlocks(long(3000)), withBlocks(long(3001))]).toEqual([[], ['metadata_invalid']])
})

test('a thread is named by the moment of its first message', () => {
  expect(check('Hi', [], { channelId: channel, threadTs: ts })).toEqual([])
  expect(check('Hi', [], { channelId: channel, threadTs: ts, isBroadcast: true })).toEqual([])
  expect(check('Hi', [], { channelId: channel, isBroadcast: false })).toEqual([])
  for (const threadTs of ['1763712345678909', '1763712345.67890', `p${ts}`, 1763712345.678909]) {
    expect(check('Hi', [], { channelId: channel, threadTs })).toEqual(['metadata_invalid'])
  }
  expect(check('Hi', [], { channelId: channel, threadTs: ts, isBroadcast: 'yes' })).toEqual(['metadata_invalid'])
})

const issues = (metadata: object, media: readonly MediaFile[] = []) =>
  checkPost(slack, { socialAccountId: 'acc', content: 'Hi', metadata: { channelId: channel, ...metadata }, media }).map(
    ({ field, next }) => [field, next],
  )

test('says what does not go together', () => {
  const picture = [anyPicture()]
  expect(issues({ threadTs: ts, isBroadcast: false }, picture)).toEqual([])
  for (const [field, metadata] of [
    ['isBroadcast', { threadTs: ts, isBroadcast: true }],
    ['format', { format: 'markdown' }],
    ['blocks', { blocks: [section] }],
  ] as const) {
    expect(issues(metadata)).toEqual([])
    const path = `metadata.slack.${field}`
    expect(issues(metadata, picture)).toEqual([[path, `Remove the files, or leave out ${path}.`]])
  }
  expect(issues({ isBroadcast: true })).toEqual([
    ['metadata.slack.isBroadcast', 'Send metadata.slack.threadTs, or leave out metadata.slack.isBroadcast.'],
  ])
  expect(issues({ format: 'markdown', blocks: [section] })).toEqual([
    ['metadata.slack.format', 'Leave out metadata.slack.format, or write the text as a block of the type markdown.'],
  ])
})
