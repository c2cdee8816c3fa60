import { defineConfig } from 'vitest/config'
import { leftOutWithoutJava } from './test/support/java.ts'

/** Files that start processes of their own (vitest.config.ts). */
const apart = ['test/start/**/*.long.ts', 'test/engines/**/*.long.ts']

const leftOut = leftOutWithoutJava('test/engines/table/oracle/**/*.long.ts')

/**
 * What takes minutes: whole products and columns of a table, a death after every single effect, two hundred bad requests
 * for every route, and 100,000 operations on the embedded table that DynamoDB Local judges.
 */
export default defineConfig({
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    testTimeout: 240_000,
    hookTimeout: 240_000,
    pool: 'forks',
    maxWorkers: 3,
    env: { FUZZ_RUNS: '200', FUZZ_SEED: '7' },
    projects: [
      { extends: true, test: { name: 'apart', include: apart, exclude: [...leftOut, '**/node_modules/**'] } },
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
