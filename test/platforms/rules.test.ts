import fc from 'fast-check'
import { expect, test } from 'vitest'
import { definition as bluesky } from '../../shared/platforms/bluesky/definition.ts'
import type { CheckedPost, PlatformDefinition } from '../../shared/platforms/definition.ts'
import { definition as discord } from '../../shared/platforms/discord/definition.ts'
import { checkPost } from '../../shared/platforms/rules/check-post.ts'
import { definition as threads } from '../../shared/platforms/threads/definition.ts'
import { codePoints, graphemes, utf8Bytes, utf16Units } from '../../shared/text/counting.ts'
import { anyPicture } from './any-file.ts'

const channel = { channelId: '1300000000000000101' }

function check(definition: PlatformDefinition, post: Partial<CheckedPost>) {
  const metadata = definition.id === 'discord' ? channel : undefined
  return checkPost(definition, { socialAccountId: 'acc_1', content: 'Hi', metadata, media: [], ...post })
}

const codes = (issues: { code: string }[]) => issues.map(({ code }) => code)
const family = '👨‍👩‍👧‍👦'

test.each([
  ['Bluesky characters', bluesky, 'x', 300],
  ['Bluesky characters, as people see them', bluesky, 'e\u0301', 300],
  ['Bluesky bytes', bluesky, family, 120],
  ['Discord characters', discord, 'x', 2000],
  ['Discord characters beyond the first plane', discord, '😀', 2000],
])('%s: one below, at and above the limit', (_, definition, letter, limit) => {
  expect(check(definition, { content: letter.repeat(limit - 1) })).toEqual([])
  expect(check(definition, { content: letter.repeat(limit) })).toEqual([])
  expect(codes(check(definition, { content: letter.repeat(limit + 1) }))).toEqual(['content_length'])
})

test('the message names used and allowed amounts of each violated measure', () => {
  expect(check(bluesky, { content: 'x'.repeat(312) })).toEqual([
    {
      socialAccountId: 'acc_1',
      platform: 'bluesky',
      code: 'content_length',
      field: 'content',
      message: 'Bluesky: 312/300 characters.',
      next: 'Shorten the text by 12 characters.',
    },
  ])
  const both = check(bluesky, { content: family.repeat(301) })
  expect(both.map(({ message }) => message)).toEqual(['Bluesky: 301/300 characters.', 'Bluesky: 7525/3000 bytes.'])
})

test('an empty text requires media', () => {
  for (const definition of [bluesky, discord]) {
    expect(codes(check(definition, { content: ' \n' }))).toEqual(['content_empty'])
    expect(check(definition, { content: '', media: [anyPicture()] })).toEqual([])
    const text = { ...definition, rules: { ...definition.rules, emptyText: 'never' as const } }
    expect(codes(check(text, { content: '', media: [anyPicture()] }))).toEqual(['content_empty'])
  }
})

test.each([
  // What is larger than Bluesky itself takes is converted before it is sent.
  ['Bluesky', bluesky, 10, 50_000_000],
  ['Discord', discord, 10, 10_485_760],
])('%s: files one below, at and above the limits', (_, definition, max, maxBytes) => {
  for (const [count, expected] of [
    [max - 1, []],
    [max, []],
    [max + 1, ['media_count']],
  ] as const) {
    expect(codes(check(definition, { media: Array.from({ length: count }, () => anyPicture()) }))).toEqual(expected)
  }
  for (const [fileSize, expected] of [
    [maxBytes - 1, []],
    [maxBytes, []],
    [maxBytes + 1, ['media_size']],
  ] as const) {
    expect(codes(check(definition, { media: [anyPicture({ fileSize })] }))).toEqual(expected)
  }
})

test('Discord: all files together stay below 25 MiB', () => {
  const total = 25 * 1024 * 1024 - 64 * 1024
  const of = (last: number) => [
    anyPicture({ fileSize: 10_000_000 }),
    anyPicture({ fileSize: 10_000_000 }),
    anyPicture({ fileSize: last }),
  ]
  expect(check(discord, { media: of(total - 20_000_000) })).toEqual([])
  const [issue] = check(discord, { media: of(total - 19_999_999) })
  expect(issue).toMatchObject({
    code: 'media_size',
    message: `Discord: the files have ${total + 1}/${total} bytes in total.`,
  })
})

test('Bluesky accepts images and videos, and says so of a WebM', () => {
  const webm = anyPicture({ mimeType: 'video/webm', originalFilename: 'f.webm' })
  const [issue, ...more] = check(bluesky, { media: [webm] })
  expect(more).toEqual([])
  expect(issue).toMatchObject({ code: 'media_type', message: 'Bluesky: f.webm is video/webm.' })
  expect(issue?.next).toBe(
    'Attach only types that Bluesky accepts here: image/jpeg, image/png, image/gif, image/webp, video/mp4, video/quicktime.',
  )
  for (const definition of [bluesky, discord]) {
    expect(check(definition, { media: [anyPicture({ mimeType: 'video/mp4' })] })).toEqual([])
  }
})

test('Bluesky says whether it cannot take the streams of a MOV, or they are unknown', () => {
  const mov = anyPicture({ mimeType: 'video/quicktime', originalFilename: 'f.mov' })
  const layout = { hasIndexFirst: false, editLists: 'none' } as const
  expect(check(bluesky, { media: [mov] })).toMatchObject([
    {
      code: 'media_type',
      message: 'Bluesky: f.mov is video/quicktime, and its streams are unknown.',
      next: 'Upload it again, or attach an MP4.',
    },
  ])
  expect(check(bluesky, { media: [{ ...mov, video: { ...layout, codec: 'prores' } }] })).toMatchObject([
    {
      code: 'media_type',
      message: 'Bluesky: f.mov is video/quicktime, and cannot be rewritten as MP4.',
      next: 'Attach an MP4, or a MOV with H.264 or HEVC and AAC.',
    },
  ])
  expect(check(bluesky, { media: [{ ...mov, video: { ...layout, codec: 'h264' } }] })).toEqual([])
})

test('Bluesky takes one to three language tags', () => {
  const codesFor = (langs: unknown) => codes(check(bluesky, { metadata: { langs } }))
  for (const langs of [['en'], ['en', 'de'], ['en', 'de', 'fr'], ['pt-BR'], ['zh-Hant-TW'], ['es-419'], ['sl-rozaj']]) {
    expect(codesFor(langs)).toEqual([])
  }
  for (const langs of [[], ['en', 'de', 'fr', 'it'], ['english'], ['e'], ['en_US'], ['en-'], [''], [7], 'en', null]) {
    expect(codesFor(langs)).toEqual(['metadata_invalid'])
  }
  expect(check(bluesky, { metadata: {} })).toEqual([])
})

test('a link card on Bluesky has a URL and a title within limits, and stands in a post without media', () => {
  const card = { url: 'https://bakery.example/', title: 'Bread' }
  const codesFor = (more: object, media: CheckedPost['media'] = []) =>
    check(bluesky, { metadata: { external: { ...card, ...more } }, media }).map(({ code, field }) => `${code} ${field}`)
  const at = (field: string) => [`metadata_invalid metadata.bluesky.external${field}`]
  for (const length of [1, 299, 300]) expect(codesFor({ title: 'x'.repeat(length) })).toEqual([])
  for (const title of ['', ' ', 'x'.repeat(301), 7, undefined]) expect(codesFor({ title })).toEqual(at('.title'))
  for (const length of [1, 999, 1000]) expect(codesFor({ description: 'x'.repeat(length) })).toEqual([])
  for (const description of ['', 'x'.repeat(1001), null]) expect(codesFor({ description })).toEqual(at('.description'))
  for (const length of [2047, 2048]) expect(codesFor({ url: `${card.url}${'x'.repeat(length - 23)}` })).toEqual([])
  for (const url of [`${card.url}${'x'.repeat(2026)}`, 'bakery.example', 'ftp://bakery.example/', undefined]) {
    expect(codesFor({ url })).toEqual(at('.url'))
  }
  expect(codesFor({}, [anyPicture()])).toEqual(at(''))
  expect(codesFor({}, [anyPicture({ mimeType: 'video/mp4' })])).toEqual(at(''))
  const assets = (more: object) => ({ 'external.thumbMediaAssetId': anyPicture(more) })
  const ofImage = (more: object) => check(bluesky, { metadata: { external: card }, assets: assets(more) })
  for (const fileSize of [49_999_999, 50_000_000]) expect(ofImage({ fileSize })).toEqual([])
  expect(ofImage({ fileSize: 50_000_001 })).toMatchObject([
    { code: 'media_size', field: 'metadata.bluesky.external.thumbMediaAssetId' },
  ])
  expect(codes(ofImage({ mimeType: 'video/mp4' }))).toEqual(['media_type'])
})

test('Bluesky: quotes, gates, and labels have their forms', () => {
  const of = (metadata: object) =>
    check(bluesky, { metadata }).map(({ field }) => field?.replace('metadata.bluesky.', ''))
  const uri = 'at://did:plc:ewvi7nxzyoun6zhxrhs64oiz/app.bsky.feed.post/3m6hwzbhq2k2a'
  for (const metadata of [
    { quoteUri: uri },
    { quoteUri: 'at://ann.bsky.social/app.bsky.feed.post/3m6hwzbhq2k2a' },
    ...[[], ['mentioned'], ['mentioned', 'followers', 'following']].map((replyGate) => ({ replyGate })),
    { disableQuotes: true },
    ...[['sexual'], ['sexual', 'nudity', 'porn', 'graphic-media']].map((labels) => ({ labels })),
  ]) {
    expect(of(metadata)).toEqual([])
  }
  for (const [field, values] of [
    ['quoteUri', ['', 'https://bsky.app/profile/a/post/b', uri.replace('feed.post', 'feed.like'), `${uri}/more`, 7]],
    ['replyGate', [7, null, ['mentioned', 'followers', 'following', 'mentioned']]],
    ['disableQuotes', ['yes', null]],
    ['labels', [[], 7, ['sexual', 'nudity', 'porn', 'graphic-media', 'porn']]],
  ] as const) {
    for (const value of values) expect(of({ [field]: value })).toEqual([field])
  }
  expect(of({ replyGate: ['everyone'] })).toEqual(['replyGate.0'])
  expect(of({ labels: ['!hide'] })).toEqual(['labels.0'])
})

test('Discord requires its metadata, names an invalid field and a misspelled one, and keeps others', () => {
  for (const metadata of [undefined, null]) expect(codes(check(discord, { metadata }))).toEqual(['metadata_required'])
  const corrected = 'Correct "metadata.discord.channelId".'
  const refused: [object, string][] = [
    [{}, 'Example: {"discord":{"channelId":"1300000000000000102"}}.'],
    [{ channelId: 'general' }, corrected],
    [{ channelId: 13 }, corrected],
    [{ channelId: '1'.repeat(16) }, corrected],
  ]
  for (const [metadata, next] of refused) {
    const [issue] = check(discord, { metadata })
    expect(issue?.code).toBe('metadata_invalid')
    expect(issue?.message).toMatch(/^Discord: "metadata\.discord\.channelId" /)
    expect(issue?.next).toBe(next)
  }
  expect(codes(check(discord, { metadata: 'general' }))).toEqual(['metadata_invalid'])
  expect(check(discord, { metadata: { ...channel, channelName: 'general', more: 1 } })).toEqual([])
  expect(check(discord, { metadata: { chanelId: '1300000000000000102' } })).toMatchObject([
    { code: 'metadata_invalid', field: 'metadata.discord.chanelId', next: 'Did you mean "channelId"?' },
    { code: 'metadata_invalid', field: 'metadata.discord.channelId' },
  ])
  const { metadata: _, ...rules } = threads.rules
  const bare = { ...threads, rules }
  expect(check(bare, { metadata: { any: 'thing' } })).toMatchObject([
    {
      code: 'metadata_invalid',
      message: 'Threads: "metadata.threads" has no fields.',
      next: 'Remove "metadata.threads".',
    },
  ])
  expect(check(bare, { metadata: {} })).toEqual([])
})

test('every issue says what to do next and whom it is about', () => {
  const media = Array.from({ length: 11 }, () => anyPicture({ mimeType: 'text/plain', fileSize: 9_000_000 }))
  const issues = check(discord, { content: 'x'.repeat(2001), metadata: {}, media })
  expect(new Set(codes(issues))).toEqual(
    new Set(['content_length', 'metadata_invalid', 'media_type', 'media_count', 'media_size']),
  )
  for (const issue of issues) {
    expect(issue).toMatchObject({ socialAccountId: 'acc_1', platform: 'discord', next: expect.stringMatching(/\.$/) })
    expect(issue.message).toMatch(/^Discord: /)
  }
})

test('each count is listed in the expected order', () => {
  expect([graphemes(family), codePoints(family), utf16Units(family), utf8Bytes(family)]).toEqual([1, 7, 11, 25])
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (a, b) => {
      expect(graphemes(a)).toBeLessThanOrEqual(codePoints(a))
      expect(codePoints(a)).toBeLessThanOrEqual(utf16Units(a))
      expect(utf16Units(a)).toBeLessThanOrEqual(utf8Bytes(a))
      for (const count of [codePoints, utf16Units, utf8Bytes]) expect(count(a + b)).toBe(count(a) + count(b))
      expect(codePoints(a)).toBe([...a].length)
    }),
  )
})
