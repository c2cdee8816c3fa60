import { expect, test } from 'vitest'
import { patched } from '../support/patched-tree.ts'
import { mutations } from './mutations.ts'
import { run, testSeeds } from './test-seeds.ts'

testSeeds(1, 25)

// The second one has two releases.
test.each([101, 7])('seed %i gives the same run again, effect by effect', async (seed) => {
  const [first, second] = [await run(seed), await run(seed)]
  expect(second.trace).toEqual(first.trace)
  expect(first.names.length).toBeGreaterThan(10)
})

test.each(Object.entries(mutations))('the sources have what the mutation "%s" replaces', (_name, patches) => {
  for (const patch of patches) expect(patched(patch)).toContain(patch.by)
})
