import fc from 'fast-check'
import { afterAll, beforeEach, expect, test } from 'vitest'
import type { MediaFile } from '../../shared/media/media-file.ts'
import { checkPost } from '../../shared/platforms/rules/check-post.ts'
import { threads as connector } from '../../shared/platforms/threads/connect.ts'
import { bareLinksIn, definition, threadsLength } from '../../shared/platforms/threads/definition.ts'
import { threads } from '../../shared/platforms/threads/publish.ts'
import { startGraphSite } from './graph-site.ts'
import { failureOf } from './site.ts'

const site = await startGraphSite('threads', threads, connector)
const { platforms } = site

beforeEach(() => {
  platforms.reset()
  site.effects.length = 0
})
afterAll(() => site.close())

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

const codesOf = (content: string, media: readonly MediaFile[] = []) =>
  checkPost(definition, { socialAccountId: 'acc', content, metadata: undefined, media }).map(({ code }) => code)

const family = '👨‍👩‍👧‍👦'
const flag = '🇩🇪'

test.each([
  ['a letter', 'x', 1],
  ['an umlaut', 'ü', 1],
  ['a letter with a combining mark', 'u\u0308', 2],
  ['a Chinese character', '語', 1],
  ['a letter beyond the first plane', '𝒳', 1],
  ['a smile', '😀', 4],
  ['a waving hand with its color', '👋🏽', 8],
  ['a family', family, 25],
  ['a flag', flag, 8],
  ['a digit in a box', '1️⃣', 7],
  ['a digit', '1', 1],
])('%s counts as Threads counts it', async (_, text, length) => {
  expect(threadsLength(text)).toBe(length)
  const fill = (total: number) => text + 'x'.repeat(total - length)
  expect([codesOf(fill(499)), codesOf(fill(500)), codesOf(fill(501))]).toEqual([[], [], ['content_length']])
  // The stand-in counts by itself.
  await site.prepare(await site.open({ text: fill(500) }))
  expect(await failureOf(site.prepare(await site.open({ text: fill(501) })))).toMatchObject({
    errorClass: 'invalid',
    info: { detail: expect.stringContaining('must be at most 500 characters long') },
  })
})

test('validation rejects six links without a scheme, as Threads does', async () => {
  const text = Array.from({ length: 6 }, (_, n) => `(www.a${n}.com), `).join('')
  expect(codesOf(text)).toEqual(['link_limit'])
  expect(await failureOf(site.prepare(await site.open({ text })))).toMatchObject({
    errorClass: 'invalid',
    info: { detail: expect.stringContaining('LINK_LIMIT_EXCEEDED') },
  })
})

test.each([
  ['see www.a.com, then (www.b.com) and www.a.com.', ['www.a.com', 'www.b.com']],
  ['WWW.A.org! www.b.com/x(y) www.ä.de', ['WWW.A.org', 'www.b.com/x(y)', 'www.ä.de']],
  ['https://www.a.com awww.no.com www. www.x me@www.a.com a.com', []],
])('addresses without a scheme in %j', (text, expected) => {
  expect(bareLinksIn(text)).toEqual(expected)
})

test('finds links without a scheme in linear time', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('www.', 'a', '.', '(', ')', ',', ' ', '/', 'ä', '-'), { maxLength: 40 }),
      (parts) => {
        for (const link of bareLinksIn(parts.join(''))) {
          expect(link).toMatch(/^www\../)
          expect(link).not.toMatch(/[\s.,;:!?]$/)
        }
      },
    ),
  )
  const hostile = (length: number) => '(www.a.b))))'.repeat(length / 12)
  const spent = (length: number) => {
    const [text, startMs] = [hostile(length), performance.now()]
    bareLinksIn(text)
    return performance.now() - startMs
  }
  spent(120_000)
  // A quadratic pass would take sixteen times as long, at seconds each.
  expect(spent(480_000)).toBeLessThan(1000)
})

const many = <T>(count: number, make: (n: number) => T) => Array.from({ length: count }, (_, n) => make(n))

const limits: readonly [string, (n: number) => string[], number, string, number?][] = [
  ['links', (n: number) => codesOf(many(n, (i) => `https://x.test/${i}`).join(' ')), 5, 'link_limit'],
  ['links without a scheme', (n: number) => codesOf(many(n, (i) => `www.x${i}.test`).join(' ')), 5, 'link_limit'],
  [
    'links with and without a scheme',
    (n: number) => codesOf(['https://www.x0.test', ...many(n, (i) => `www.x${i}.test`)].join(' ')),
    5,
    'link_limit',
  ],
  [
    'the same link often',
    (n: number) => codesOf(many(n, () => 'https://x.test/1.').join(' ')),
    25,
    'content_length',
    28,
  ],
  [
    'images',
    (n: number) =>
      codesOf(
        '',
        many(n, () => image()),
      ),
    20,
    'media_count',
  ],
  [
    'videos',
    (n: number) =>
      codesOf(
        '',
        many(n, () => movie()),
      ),
    20,
    'media_count',
  ],
  ['bytes of an image', (n: number) => codesOf('', [image({ fileSize: n })]), 50_000_000, 'media_size'],
  ['bytes of a video', (n: number) => codesOf('', [movie({ fileSize: n })]), 1_000_000_000, 'media_size'],
  ['width of a video', (n: number) => codesOf('', [movie({ width: n, height: 1000 })]), 1920, 'media_dimensions'],
  ['duration', (n: number) => codesOf('', [movie({ durationMs: n })]), 300_000, 'media_duration'],
  ['aspect of an image', (n: number) => codesOf('', [image({ width: n, height: 100 })]), 1000, 'media_dimensions'],
  [
    'height to width of an image',
    (n: number) => codesOf('', [image({ width: 100, height: n })]),
    1000,
    'media_dimensions',
  ],
  ['aspect of a video', (n: number) => codesOf('', [movie({ width: n, height: 100 })]), 1000, 'media_dimensions'],
  ['height to width of a video', (n: number) => codesOf('', [movie({ width: 1, height: n })]), 100, 'media_dimensions'],
]

test.each(limits)('the limit of %s', (_, codesAt, limit, code, beyond = limit + 1) => {
  expect([codesAt(limit - 1), codesAt(limit), codesAt(beyond)]).toEqual([[], [], [code]])
})

test('requires text or media; accepts mixed kinds and every image type', () => {
  expect(codesOf('')).toEqual(['content_empty'])
  expect(codesOf('', [image()])).toEqual([])
  expect(codesOf('', [image(), movie()])).toEqual([])
  for (const mimeType of ['image/png', 'image/gif', 'image/webp'])
    expect(codesOf('', [image({ mimeType })])).toEqual([])
  expect(definition.rules.media[0]?.image?.sent).toEqual({ types: ['image/jpeg', 'image/png'], maxBytes: 8_000_000 })
})

const ofMetadata = (metadata: unknown, media: readonly MediaFile[] = [], content = 'x') =>
  checkPost(definition, { socialAccountId: 'acc', content, metadata, media }).map(({ code, field }) =>
    code === 'metadata_invalid' ? field?.replace('metadata.threads.', '') : code,
  )

test('metadata: each limit one below, at, and above', () => {
  for (const length of [1, 49, 50]) expect(ofMetadata({ topicTag: 'x'.repeat(length) })).toEqual([])
  for (const topicTag of ['', ' ', 'x'.repeat(51), 'a.b', 'a&b', 7, null]) {
    expect(ofMetadata({ topicTag })).toEqual(['topicTag'])
  }
  for (const count of [2, 3, 4]) expect(ofMetadata({ poll: { options: Array(count).fill('x') } })).toEqual([])
  for (const count of [0, 1, 5]) {
    expect(ofMetadata({ poll: { options: Array(count).fill('x') } })).toEqual(['poll.options'])
  }
  for (const length of [1, 24, 25]) expect(ofMetadata({ poll: { options: ['x', 'y'.repeat(length)] } })).toEqual([])
  for (const option of ['', ' ', 'y'.repeat(26), '🥖'.repeat(7), 7]) {
    expect(ofMetadata({ poll: { options: ['x', option] } })).toEqual(['poll.options.1'])
  }
  const long = (length: number) => ofMetadata({ textAttachment: { plaintext: 'x'.repeat(length) } })
  for (const length of [1, 9999, 10_000]) expect(long(length)).toEqual([])
  for (const length of [0, 10_001]) expect(long(length)).toEqual(['textAttachment.plaintext'])
  for (const replyControl of ['everyone', 'accounts_you_follow', 'mentioned_only', 'followers_only']) {
    expect(ofMetadata({ replyControl })).toEqual([])
  }
  for (const [field, values] of [
    ['replyControl', ['nobody', null]],
    ['linkAttachment', ['bakery.example', 'ftp://bakery.example/', `https://a.example/${'x'.repeat(2031)}`, 7]],
    ['quotePostId', ['', 'https://www.threads.net/@a/post/b', 7]],
    ['isSpoilerMedia', ['yes', null]],
  ] as const) {
    for (const value of values) expect(ofMetadata({ [field]: value })).toEqual([field])
  }
  expect(ofMetadata({ linkAttachment: `https://a.example/${'x'.repeat(2030)}`, quotePostId: '1' })).toEqual([])
})

test('attachments need a post without media; a long text takes no poll, and a post one link card', () => {
  const poll = { options: ['x', 'y'] }
  const linkAttachment = 'https://a.example/'
  const textAttachment = { plaintext: 'x' }
  for (const [field, value] of Object.entries({ poll, linkAttachment, textAttachment })) {
    expect(ofMetadata({ [field]: value })).toEqual([])
    expect(ofMetadata({ [field]: value }, [image()])).toEqual([field])
    expect(ofMetadata({ [field]: value }, [movie()])).toEqual([field])
  }
  expect(ofMetadata({ isSpoilerMedia: true, topicTag: 'x', quotePostId: '1' }, [image()])).toEqual([])
  expect(ofMetadata({ isSpoilerMedia: true })).toEqual([])
  expect(ofMetadata({ poll, linkAttachment })).toEqual([])
  expect(ofMetadata({ poll, textAttachment })).toEqual(['poll'])
  expect(ofMetadata({ linkAttachment, textAttachment })).toEqual([])
  const withCard = { ...textAttachment, linkUrl: 'https://b.example/' }
  expect(ofMetadata({ textAttachment: withCard })).toEqual([])
  expect(ofMetadata({ linkAttachment, textAttachment: withCard })).toEqual(['textAttachment.linkUrl'])
})

test('the link of an attachment counts with those of the text, once', () => {
  const text = (count: number) => Array.from({ length: count }, (_, n) => `https://a.example/${n}`).join(' ')
  const linkAttachment = 'https://b.example/'
  const textAttachment = { plaintext: 'x', linkUrl: 'https://b.example/' }
  for (const metadata of [{ linkAttachment }, { textAttachment }]) {
    expect(ofMetadata(metadata, [], text(4))).toEqual([])
    expect(ofMetadata(metadata, [], text(5))).toEqual(['link_limit'])
  }
  expect(ofMetadata({ linkAttachment: 'https://a.example/0' }, [], text(5))).toEqual([])
  expect(ofMetadata({ linkAttachment: 'https://www.a.example/' }, [], 'www.a.example/')).toEqual([])
})

test('the stand-in rejects what Threads rejects of attachments', async () => {
  const poll = { options: ['x', 'y'] }
  const textAttachment = { plaintext: 'x', linkUrl: 'https://b.example/' }
  for (const metadata of [
    { poll, textAttachment: { plaintext: 'x' } },
    { linkAttachment: 'https://a.example/', textAttachment },
  ]) {
    const call = await site.open({ text: 'x', metadata })
    expect(await failureOf(site.prepare(call))).toMatchObject({ errorClass: 'invalid' })
  }
})
