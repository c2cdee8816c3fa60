import { expect, test } from 'vitest'
import type { MediaFile } from '../../shared/media/media-file.ts'
import { definition } from '../../shared/platforms/nostr/definition.ts'
import { npubOf } from '../../shared/platforms/nostr/keys.ts'
import { tagsOfText } from '../../shared/platforms/nostr/tags.ts'
import { checkPost } from '../../shared/platforms/rules/check-post.ts'
import { visitNostr } from './nostr-visit.ts'
import { failureOf } from './site.ts'

const { open, publish } = await visitNostr()

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
const movie = (more: Partial<MediaFile> = {}) => image({ mimeType: 'video/mp4', durationMs: 1000, ...more })

const issues = (content: string, metadata?: object, media: readonly MediaFile[] = [], tier?: string) =>
  checkPost(definition, { socialAccountId: 'acc', externalId: 'ab', tier, content, metadata, media }).map(
    ({ code, field }) => (field?.startsWith('metadata') ? `${code} ${field}` : code),
  )
const withServer = (media: readonly MediaFile[], content = 'Hi') => issues(content, undefined, media, 'media server')

test.each([
  ['a letter', 'x', 1],
  ['a letter of two bytes', 'ü', 2],
  ['an emoji', '👋', 4],
  ['a line break, which JSON escapes', '\n', 2],
  ['a quotation mark, which JSON escapes', '"', 2],
])('%s counts its bytes in JSON', (_, text, length) => {
  const fill = (total: number) => text + 'x'.repeat(total - length)
  expect([issues(fill(59_999)), issues(fill(60_000)), issues(fill(60_001))]).toEqual([[], [], ['content_length']])
})

test('the longest text fits into an event, and a relay refuses one that does not', async () => {
  await publish(await open({ text: 'x'.repeat(60_000) }))
  expect(await failureOf(publish(await open({ text: 'x'.repeat(66_000) })))).toMatchObject({
    errorClass: 'invalid',
    message: expect.stringContaining('rejected the post: event too large'),
  })
})

test('files need a media server of the account', () => {
  expect(issues('Hi', undefined, [image()])).toEqual(['media_count'])
  expect(withServer([image()])).toEqual([])
  expect(withServer([image(), movie()])).toEqual([])
  expect(withServer(Array.from({ length: 10 }, () => image()))).toEqual([])
  expect(withServer(Array.from({ length: 11 }, () => image()))).toContain('media_count')
  expect(withServer([movie(), movie()])).toEqual(['media_count'])
  expect(withServer([movie({ fileSize: 100_000_000 })])).toEqual([])
  expect(withServer([movie({ fileSize: 100_000_001 })])).toEqual(['media_size'])
})

test('a text may be empty alongside files', () => {
  expect(withServer([image()], ' ')).toEqual([])
  expect(issues(' ')).toEqual(['content_empty'])
})

const id = 'ab'.repeat(32)

test.each([
  ['a warning of 200 characters', { contentWarning: 'x'.repeat(200) }, []],
  [
    'a warning of 201 characters',
    { contentWarning: 'x'.repeat(201) },
    ['metadata_invalid metadata.nostr.contentWarning'],
  ],
  ['an empty warning', { contentWarning: ' ' }, ['metadata_invalid metadata.nostr.contentWarning']],
  ['an ID', { replyTo: id, quote: id }, []],
  ['an ID in capitals', { replyTo: id.toUpperCase() }, ['metadata_invalid metadata.nostr.replyTo']],
  ['a person', { quote: npubOf(id) }, ['metadata_invalid metadata.nostr.quote']],
  ['an address of a page', { quote: `https://njump.me/${id}` }, ['metadata_invalid metadata.nostr.quote']],
])('metadata: %s', (_, metadata, expected) => {
  expect(issues('Hi', metadata)).toEqual(expected)
})

test.each([
  ['#Brot', [['t', 'brot']]],
  ['#a#b', [['t', 'a']]],
  ['a#b &#39; https://a.example/#top ?x=#y', []],
  ['(#süß_1)', [['t', 'süß_1']]],
  ['# heading', []],
  [`nostr:${npubOf(id)}.`, [['p', id]]],
  [npubOf(id), []],
  ['nostr:npub1qqqq nostr:nsec1qqqq', []],
])('the tags of %s', (text, tags) => {
  expect(tagsOfText(text)).toEqual(tags)
})

test('tags of hostile texts take linear time', () => {
  for (const part of ['#', '#a', 'nostr:', 'nostr:npub1', 'nostr:npub1q', '&#']) {
    expect(tagsOfText(part.repeat(20_000))).toEqual(expect.any(Array))
  }
})
