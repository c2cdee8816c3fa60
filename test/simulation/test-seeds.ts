import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { getSharedSetup } from '../support/shared-setup.ts'
import { makeNextRelease } from './releases.ts'
import { runSimulation } from './run.ts'

const nextRelease = makeNextRelease()
afterAll(() => rmSync(dirname(nextRelease), { recursive: true }))

export const run = async (seed: number) =>
  runSimulation(seed, { folder: dirname((await getSharedSetup()).assembly), nextRelease })

/** A test for each of so many seeds. `npm run simulate -- --seed N` minimizes one that fails. */
export const testSeeds = (from: number, count: number): void => {
  const seeds = Array.from({ length: count }, (_, n) => from + n)
  test.each(seeds)('seed %i violates no invariant', async (seed) => {
    const { violations, timeline } = await run(seed)
    expect(violations, timeline.join('\n')).toEqual([])
  })
}
