import { expect, test } from 'vitest'
import { judge } from './judge.ts'

/** The same operations in every run. */
const seed = 20261122

test('the embedded table answers 2,000 random operations as DynamoDB Local does', async () => {
  await expect(judge(2_000, seed, 2)).resolves.toBeUndefined()
}, 240_000)
