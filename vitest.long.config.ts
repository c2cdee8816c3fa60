import { defineConfig } from 'vitest/config'

/** What takes minutes: a death after every single effect, and two hundred bad requests for every route. */
export default defineConfig({
  test: {
    include: ['test/**/*.long.ts', 'test/fuzz.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    testTimeout: 240_000,
    hookTimeout: 240_000,
    pool: 'forks',
    maxWorkers: 3,
    isolate: false,
    env: { FUZZ_RUNS: '200' },
  },
})
