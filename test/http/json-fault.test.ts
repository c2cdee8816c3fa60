import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { firstFault } from '../../shared/http/read-body.ts'

test.each([
  ['{"a":1,}', 1, 8],
  ["{'a':1}", 1, 2],
  ['{"a":1\n "b":2}', 2, 2],
  ['{\n  "a": tru\n}', 2, 8],
  ['[1, 2', 1, 6],
  ['{"a":"x\ny"}', 1, 8],
  ['{"a":"\\q"}', 1, 7],
  ['{"a":01}', 1, 7],
  ['{"a":{"b":[1,{"c":null}]}} x', 1, 28],
  ['a=1&b=2', 1, 1],
  ['', 1, 1],
])('the fault of %j is at line %i, column %i', (text, line, column) => {
  expect(firstFault(text)).toEqual({ line, column })
})

test('a JSON text has its fault at its end, and one with a strange character at that character', () => {
  const holds = fc.property(fc.json(), fc.nat(), (text, seed) => {
    expect(firstFault(text)).toEqual({ line: 1, column: text.length + 1 })
    const at = seed % (text.length + 1)
    const broken = `${text.slice(0, at)}\u0001${text.slice(at)}`
    expect(firstFault(broken).column).toBeLessThanOrEqual(at + 1)
    expect(firstFault(broken).column).toBeGreaterThan(at - 12)
  })
  fc.assert(holds, { numRuns: 300 })
})
