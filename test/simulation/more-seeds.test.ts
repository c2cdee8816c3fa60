import { expect, test } from 'vitest'
import { run, testSeeds } from './test-seeds.ts'

testSeeds(26, 25)

// The second one has two releases.
test.each([101, 7])('seed %i gives the same run again, effect by effect', async (seed) => {
  const [first, second] = [await run(seed), await run(seed)]
  expect(second.trace).toEqual(first.trace)
  expect(first.names.length).toBeGreaterThan(10)
})
