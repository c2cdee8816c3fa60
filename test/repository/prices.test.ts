import { expect, test } from 'vitest'
import { bill, type Price } from '../support/prices.ts'

const listed = 'test/repository/shape.test.ts'

test.each<[what: string, prices: readonly Price[], faults: number]>([
  ['a file may take twice two seconds', [['test/a.test.ts', 4_000]], 0],
  ['and no more', [['test/a.test.ts', 4_001]], 1],
  ['a file of the list may take twice its price', [[listed, 14_000]], 0],
  [
    'a slow machine changes the price of every file',
    [
      [listed, 21_000],
      ['test/a.test.ts', 12_000],
    ],
    0,
  ],
  [
    'a fast one does not',
    [
      [listed, 700],
      ['test/a.test.ts', 4_001],
    ],
    1,
  ],
  ['the whole run has a price', Array.from({ length: 200 }, (_, n): Price => [`test/${n}.test.ts`, 3_000]), 1],
])('%s', (_, prices, faults) => {
  expect(bill(prices).faults).toHaveLength(faults)
})
