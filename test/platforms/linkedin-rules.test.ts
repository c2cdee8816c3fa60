import fc from 'fast-check'
import { expect, test } from 'vitest'
import { shownText } from '../../infra/local/platforms/linkedin/shown-text.ts'
import { definition } from '../../shared/platforms/linkedin/definition.ts'
import { toLittleText } from '../../shared/platforms/linkedin/prepare.ts'
import { checkPost } from '../../shared/platforms/rules/check-post.ts'
import { anyPicture } from './any-file.ts'

const video = (more: object = {}) => anyPicture({ mimeType: 'video/mp4', fileSize: 75_000, ...more })
const codes = (post: object) =>
  checkPost(definition, { socialAccountId: 'acc_1', content: 'Hi', metadata: undefined, media: [], ...post }).map(
    ({ code }) => code,
  )

test.each([
  ['a hashtag', 'so #fun, #Straße #漢字1', 'so {hashtag|\\#|fun}, {hashtag|\\#|Straße} {hashtag|\\#|漢字1}'],
  ['no hashtag', '# #1 a#b &#39; #_x', '\\# \\#1 a\\#b &\\#39; \\#\\_x'],
  ['a hashtag that ends early', '#one_two', '{hashtag|\\#|one}\\_two'],
  ['every reserved letter', '\\|{}@[]()<>#*_~', '\\\\\\|\\{\\}\\@\\[\\]\\(\\)\\<\\>\\#\\*\\_\\~'],
  ['an address', 'https://a.test/b_(c)?d=~e#f g', 'https://a.test/b\\_\\(c\\)?d=\\~e\\#f g'],
  ['an address with what looks like a hashtag', 'http://a.test/?q=#tag', 'http://a.test/?q=\\#tag'],
  ['a name', 'hi @ada', 'hi \\@ada'],
])('little text: %s', (_, text, little) => {
  expect(toLittleText(text)).toBe(little)
  expect(shownText(little)).toBe(text)
})

test('LinkedIn shows the whole text', () => {
  const letters = fc.constantFrom(...('\\|{}@[]()<>#*_~ \n:/a1é漢😀&'.match(/./gsu) ?? []))
  const texts = fc.oneof(
    letters,
    fc.constantFrom('https://', '#tag', '{hashtag|\\#|x}', '@[A](urn:li:person:1)'),
    fc.string(),
  )
  fc.assert(
    fc.property(fc.array(texts), (parts) => {
      const text = parts.join('')
      expect(shownText(toLittleText(text))).toBe(text)
    }),
    { numRuns: 500 },
  )
})

const mill = { name: 'The Mill (Bern)', organizationUrn: 'urn:li:organization:7' }
const the = { name: 'The', organizationUrn: 'urn:li:organization:8' }

test.each([
  ['a name', 'by @The Mill (Bern)!', 'by @[The Mill \\(Bern\\)](urn:li:organization:7)!', 'by The Mill (Bern)!'],
  [
    'a name that begins another',
    '@The and @The Mill',
    '@[The](urn:li:organization:8) and @[The](urn:li:organization:8) Mill',
    'The and The Mill',
  ],
  [
    'no name',
    '@Then a@The @the @[The](urn:li:organization:8)',
    '\\@Then a\\@The \\@the \\@\\[The\\]\\(urn:li:organization:8\\)',
    undefined,
  ],
  ['a name in an address', 'https://a.test/@The', 'https://a.test/\\@The', undefined],
])('little text with mentions: %s', (_, text, little, shown = text) => {
  expect(toLittleText(text, [the, mill])).toBe(little)
  expect(shownText(little)).toBe(shown)
})

test('every name that is mentioned is shown', () => {
  const name = fc.string({ minLength: 1, maxLength: 20 }).filter((text) => /^[^\s\p{M}]+$/u.test(text))
  fc.assert(
    fc.property(name, (text) => {
      const little = toLittleText(`by @${text} now`, [{ name: text, organizationUrn: 'urn:li:organization:7' }])
      expect(shownText(little)).toBe(`by ${text} now`)
    }),
    { numRuns: 500 },
  )
})

test('LinkedIn cuts an unescaped text at its first reserved character', () => {
  expect(shownText('see (this)')).toBe('see ')
  expect(shownText('a_b')).toBe('a')
  expect(shownText('#tag and {hashtag|\\#|more}')).toBe('#tag and #more')
  expect(shownText('@[Demo Company](urn:li:organization:1) hi')).toBe('Demo Company hi')
})

test.each([
  ['frames of a GIF', (n: number) => anyPicture({ mimeType: 'image/gif', frames: n }), 250],
  ['a wide video', (n: number) => video({ durationMs: 5000, width: n, height: 100 }), 240],
  ['a tall video', (n: number) => video({ durationMs: 5000, width: 100, height: n }), 240],
])('%s: one below, at and above the limit', (_, file, max) => {
  expect([max - 1, max, max + 1].map((n) => codes({ media: [file(n)] }).length)).toEqual([0, 0, 1])
})

test.each([
  ['letters', 'x', 3000],
  ['reserved letters', '_', 3000],
  ['CJK', '漢', 3000],
  ['emoji of two units', '😀', 1500],
  ['families', '👨‍👩‍👧‍👦', 272],
  ['combining marks', 'e\u0301', 1500],
])('the text in %s: one below, at and above the limit', (_, letter, limit) => {
  expect(codes({ content: letter.repeat(limit - 1) })).toEqual([])
  expect(codes({ content: letter.repeat(limit) })).toEqual([])
  expect(codes({ content: letter.repeat(limit + 1) })).toEqual(['content_length'])
})

test('accepts up to twenty images of any size that can be converted', () => {
  const pictures = (n: number) => ({ media: Array.from({ length: n }, () => anyPicture()) })
  for (const n of [0, 1, 19, 20]) expect(codes(pictures(n))).toEqual([])
  expect(codes(pictures(21))).toEqual(['media_count'])
  expect(codes({ media: [anyPicture({ fileSize: 49_999_999 })] })).toEqual([])
  expect(codes({ media: [anyPicture({ fileSize: 50_000_000 })] })).toEqual([])
  expect(codes({ media: [anyPicture({ fileSize: 50_000_001 })] })).toEqual(['media_size'])
  expect(codes({ media: [anyPicture({ mimeType: 'image/webp' })] })).toEqual([])
  const { sent } = definition.rules.media[0]?.image ?? {}
  expect((sent?.maxWidth ?? 0) * (sent?.maxHeight ?? 0)).toBeLessThan(36_152_320)
  expect(sent).toMatchObject({ types: ['image/jpeg', 'image/png', 'image/gif'], maxBytes: 8_000_000 })
})

test.each([
  ['fileSize', [75_000, 75_001, 499_999_999, 500_000_000], [74_999, 500_000_001], 'media_size'],
  ['durationMs', [3000, 3001, 1_799_999, 1_800_000], [2999, 1_800_001], 'media_duration'],
])('a video: %s at its bounds', (field, good, bad, code) => {
  for (const value of good) expect(codes({ media: [video({ [field]: value })] })).toEqual([])
  for (const value of bad) expect(codes({ media: [video({ [field]: value })] })).toEqual([code])
})

test('accepts one video alone, and requires a text', () => {
  expect(codes({ media: [video(), video()] })).toEqual(['media_count'])
  expect(codes({ media: [video(), anyPicture()] })).toEqual(['media_type'])
  expect(codes({ media: [video({ mimeType: 'video/quicktime' })] })).toEqual(['media_type'])
  expect(codes({ content: ' ' })).toEqual(['content_empty'])
  expect(codes({ content: '', media: [anyPicture()] })).toEqual(['content_empty'])
  expect(codes({ metadata: { any: 'thing' } })).toEqual([])
})
