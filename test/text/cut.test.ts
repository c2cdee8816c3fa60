import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cutText } from '../../shared/text/cut.ts'

const family = '👩‍👩‍👧'
const codePoints = (text: string) => [...text].length
const bytes = (text: string) => Buffer.byteLength(text)

test.each([
  ['a text that fits is unchanged', 'abc', 3, undefined, 'abc'],
  ['a longer text is cut', 'abcd', 3, undefined, 'abc'],
  ['a surrogate pair is not split', 'ab😀', 3, undefined, 'ab'],
  ['an emoji of several code points is not split', `a${family}`, 5, undefined, 'a'],
  ['an accent stays with its letter', 'ae\u0301', 2, codePoints, 'a'],
  ['the limit is one of the given count', '😀😀😀', 2, codePoints, '😀😀'],
  ['bytes count as bytes', 'äöü', 5, bytes, 'äö'],
  ['a character that is too long by itself is split between code points', family, 3, undefined, '👩‍'],
  ['nothing fits into nothing', 'abc', 0, undefined, ''],
] as const)('%s', (_, text, max, count, expected) => {
  expect(cutText(text, max, count)).toBe(expected)
})

test('the result is a well-formed prefix of the text within the limit', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.nat(20), fc.constantFrom(codePoints, bytes), (text, max, count) => {
      const result = cutText(text, max, count)
      expect(text.startsWith(result)).toBe(true)
      expect(result.isWellFormed()).toBe(true)
      expect(count(result)).toBeLessThanOrEqual(max)
    }),
  )
})
