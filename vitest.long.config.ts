import { defineConfig } from 'vitest/config'

/** Files that start processes of their own (vitest.config.ts). */
const apart = ['test/start/**/*.long.ts']

/**
 * What takes minutes: whole products and columns of a table, a death after every single effect, and two hundred bad
 * requests for every route.
 */
export default defineConfig({
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    testTimeout: 240_000,
    hookTimeout: 240_000,
    pool: 'forks',
    maxWorkers: 3,
    env: { FUZZ_RUNS: '200' },
    projects: [
      { extends: true, test: { name: 'apart', include: apart } },
      {
        extends: true,
        test: {
          name: 'service',
          include: ['test/**/*.long.ts', 'test/fuzz.test.ts'],
          exclude: [...apart, '**/node_modules/**'],
          isolate: false,
        },
      },
    ],
  },
})
