import * as fc from 'fast-check'
import twitter from 'twitter-text'
import { expect, test } from 'vitest'
import { weightedLength } from '../../shared/platforms/x/weighted-length.ts'

/** What X's own library counts; undefined where it breaks down, after which it must be woken once more. */
const counted = (text: string): number | undefined => {
  try {
    return twitter.parseTweet(text).weightedLength
  } catch {
    twitter.parseTweet('a.')
    return undefined
  }
}

const links = [
  'http://',
  'HTTPS://',
  't.co/',
  'https://t.co/abcDEF12',
  '.com',
  'x.co',
  'co',
  'com',
  '/',
  '?',
  '=',
  '&',
  ':80',
  '(a)',
  '((a)b)',
  '(',
  ')',
  '!',
  ',',
]
const hosts = [
  'a',
  '.',
  'a.',
  '-',
  '_',
  'a_b',
  'a-b',
  '_.',
  '..',
  'xn--',
  'xn--p1ai',
  'onion',
  '。',
  `${'a'.repeat(64)}.`,
  `${'é'.repeat(60)}.`,
  `/${'x'.repeat(4060)}`,
]
const scripts = [
  '日本',
  'é',
  'ſ',
  'K',
  'ß.',
  'ς',
  '.ευ',
  '한국',
  'рф',
  'РФ',
  '.みんな',
  'vermögensberater',
  'ʀ',
  'ı',
  'İ',
  'Ж',
  '\u0301',
  '\u0323',
  '–',
]
const signs = [
  '@',
  '#',
  '$',
  '＠',
  '＃',
  '"',
  '`',
  "'",
  '~',
  '%',
  '|',
  '[',
  ']',
  '{',
  '\\',
  '^',
  ' ',
  '\n',
  '\u200d',
  '\ufe0f',
  '\u200e',
  '\ufeff',
  '\u0000',
  '\ud83d',
  '\udc69',
  '👩‍👩‍👧',
  '👍🏽',
  '1️⃣',
  '🇩🇪',
  '1',
  '0.',
]
const part = fc.constantFrom(...links, ...hosts, ...scripts, ...signs)
const text = (unit: fc.Arbitrary<string>) => fc.array(unit, { maxLength: 14 }).map((parts) => parts.join(''))

test.each([
  ['links, hosts, scripts and signs', text(part)],
  [
    'little else than links',
    text(fc.constantFrom('a.', 'co', 'http://', 'é', '_', '-', '/', '日', '.com', ' ', '(', ')', '!')),
  ],
  ['any letters among them', text(fc.oneof(part, fc.string({ unit: 'binary', maxLength: 3 })))],
])(
  'X’s own library counts the same in %s',
  (_, texts) => {
    const same = fc.property(texts, (some) => {
      const expected = counted(some)
      fc.pre(expected !== undefined)
      expect(weightedLength(some)).toBe(expected)
    })
    fc.assert(same, { numRuns: 2000 })
  },
  60_000,
)

// The rules of the conformance file of twitter-text, in our own cases.
test.each([
  ['a link', 'Hi http://test.co', 26],
  ['a link alone', 'https://example.com/a/b?c=d#e', 23],
  ['a link without a scheme', 'see example.com/x', 27],
  ['ten links', 'https://www.example.com/abc '.repeat(10), 240],
  ['a short link with more behind it', 'https://t.co/abcde?x=1', 23],
  ['a short link that is too long', `https://t.co/${'a'.repeat(41)}`, 54],
  ['a file name', 'run node.js or main.cpp', 23],
  ['a link in brackets', '(https://example.com/a_(b))', 25],
  ['a host in another script', 'http://例え.みんな', 23],
  ['a host of Latin letters between Chinese ones', '中文example.com中文', 31],
  ['an address of mail', 'me@example.com', 14],
  ['a top-level domain that there is not', 'http://example.invalidtld', 25],
  ['Latin letters', 'x'.repeat(280), 280],
  ['Chinese', '中'.repeat(140), 280],
  ['a letter in two signs', 'cafe\u0301', 4],
  ['emoji', '😷👾😡🔥💩', 10],
  ['an emoji of a family', 'H🐱☺👨‍👩‍👧‍👦', 7],
  ['emoji with skin tone and profession', '🙋🏽👨‍🎤', 4],
  ['a flag and a number in a box', '🇩🇪1️⃣', 4],
  ['punctuation of typographers', '“—…”', 5],
  ['half a letter', '\ud83d', 2],
])('%s', (_, some, expected) => {
  expect([weightedLength(some), counted(some)]).toEqual([expected, expected])
})

test('counts a label that breaks X’s own library', () => {
  const label = Array.from({ length: 4000 }, (_, n) => String.fromCodePoint(0x20000 + 7 * n)).join('')
  const some = `http://${label}.com`
  expect(weightedLength(some)).toBeGreaterThan(8000)
})

test('counts tens of thousands of combining marks on one letter', () => {
  expect(weightedLength(`a${'\u0301\u0323'.repeat(100)}`)).toBeGreaterThan(190)
})
