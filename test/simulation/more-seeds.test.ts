import { expect, test } from 'vitest'
import { run, testSeeds } from './test-seeds.ts'

testSeeds(26, 25)

test('the same seed gives the same run, effect by effect', async () => {
  const seed = 101
  const [first, second] = [await run(seed), await run(seed)]
  expect(second.trace).toEqual(first.trace)
  expect(first.names.length).toBeGreaterThan(10)
})
