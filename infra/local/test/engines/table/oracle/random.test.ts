import { expect, test } from 'vitest'
import { judge } from './judge.ts'

/** The same operations in every run. */
const seed = 20261122

test('the embedded table answers 2,000 random operations as DynamoDB Local does', async () => {
  const { operations } = await judge(2_000, seed, 2)
  expect(operations).toBeGreaterThanOrEqual(2_000)
}, 240_000)
