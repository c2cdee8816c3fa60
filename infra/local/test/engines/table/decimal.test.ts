import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  addDecimals,
  compareDecimals,
  formatDecimal,
  parseDecimal,
  sortableDecimal,
} from '../../../engines/table/decimal.ts'

const decimal = fc
  .tuple(fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }), fc.integer({ min: -60, max: 60 }))
  .map(([digits, power]) => `${digits}e${power}`)

test('a number keeps its value when written and read', () => {
  fc.assert(
    fc.property(decimal, (text) => {
      const number = parseDecimal(text)
      const written = formatDecimal(number)
      expect(parseDecimal(written)).toEqual(number)
      expect(written).toMatch(/^-?(?:0|[1-9]\d*)(?:\.\d*[1-9])?$/)
    }),
  )
})

test('sort keys are in numeric order', () => {
  fc.assert(
    fc.property(decimal, decimal, (a, b) => {
      const byText = Buffer.compare(Buffer.from(sortableDecimal(a)), Buffer.from(sortableDecimal(b)))
      expect(byText).toBe(compareDecimals(parseDecimal(a), parseDecimal(b)))
    }),
  )
})

test('sums are exact up to 38 digits', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: -(10n ** 36n), max: 10n ** 36n }),
      fc.bigInt({ min: -(10n ** 36n), max: 10n ** 36n }),
      (a, b) => {
        const sum = addDecimals(parseDecimal(String(a)), parseDecimal(String(b)))
        expect(formatDecimal(sum)).toBe(String(a + b))
      },
    ),
  )
})

test.each(['', 'x', '1e', '0x10', '1'.repeat(39), '1e126', '1e-131', 'NaN', '--1'])('rejects %j', (text) => {
  expect(() => parseDecimal(text)).toThrow()
})
