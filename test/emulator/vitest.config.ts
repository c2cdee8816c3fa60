import { defineConfig } from 'vitest/config'

/** The deployed stacks on an AWS emulator by other people: not part of `npm test`, since it needs python3 and PyPI. */
export default defineConfig({
  test: {
    include: ['test/emulator/*.check.ts'],
    // A post beyond the longest delay of SQS is waited for.
    testTimeout: 1_500_000,
    hookTimeout: 600_000,
    pool: 'forks',
  },
})
