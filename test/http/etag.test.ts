import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { Refusal } from '../../shared/errors/refusal.ts'
import { tagOf, versionsIn } from '../../shared/http/etag.ts'

test.each([
  [undefined, undefined],
  ['*', undefined],
  [' * ', undefined],
  ['"7"', [7]],
  ['"7","8" ,\t"12"', [7, 8, 12]],
  [', "7",, "7" ,', [7]],
  ['W/"7"', []],
  ['W/"7", "8"', [8]],
  ['"07", "", "7a", "-7", "v7", "a,b", "9007199254740993"', []],
])('%j stands for %j', (ifMatch, versions) => {
  expect(versionsIn(ifMatch)).toEqual(versions)
})

const reasonOf = (ifMatch: string) => {
  try {
    return versionsIn(ifMatch)
  } catch (error) {
    return error instanceof Refusal ? [error.reason, error.details.field] : error
  }
}

test.each([
  '',
  ' ',
  ',',
  '7',
  '"7',
  '7"',
  '"7""8"',
  '"7" "8"',
  '"7", *',
  '"7";"8"',
  'w/"7"',
  'W/ "7"',
  '"7", 0',
  '""7""',
])('rejects %j as If-Match', (ifMatch) => {
  expect(reasonOf(ifMatch)).toEqual(['invalid', 'If-Match'])
})

test('accepts fifty tags and rejects the fifty-first', () => {
  const tags = Array.from({ length: 51 }, (_, n) => tagOf(n + 1))
  expect(versionsIn(tags.slice(1).join(', '))).toHaveLength(50)
  expect(reasonOf(tags.join(', '))).toEqual(['invalid', 'If-Match'])
})

test('every version matches its own tag among any others', () => {
  const others = fc.array(fc.stringMatching(/^(?:W\/)?"[!#-~]{0,9}"$/), { maxLength: 5 })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10 ** 12 }), others, others, (version, before, behind) => {
      expect(versionsIn([...before, tagOf(version), ...behind].join(', '))).toContain(version)
    }),
  )
})

test('any input is parsed or rejected', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'"W/,* \t0127aé') }), (ifMatch) => {
      const read = reasonOf(ifMatch)
      expect(read === undefined || Array.isArray(read)).toBe(true)
    }),
  )
})
