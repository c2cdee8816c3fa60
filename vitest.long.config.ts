import { globSync, readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { leftOutWithoutJava } from './test/support/java.ts'

/** Files that start processes of their own (vitest.config.ts), and one that measures what passwords cost. */
const apart = ['test/start/**/*.long.ts', 'infra/local/test/engines/**/*.long.ts', 'test/media/bombs-pipeline.long.ts']

/** Files of which `npm test` runs a part: here they are whole. */
const thinned = globSync('test/**/*.test.ts').filter((file) => readFileSync(file, 'utf8').includes('/thin.ts'))

const leftOut = leftOutWithoutJava('infra/local/test/engines/table/oracle/**/*.long.ts')

/**
 * What takes minutes: whole products and columns of a table, a death after every single effect, two hundred bad requests
 * for every route, and 50,000 operations on the embedded table that DynamoDB Local judges.
 */
export default defineConfig({
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    testTimeout: 240_000,
    hookTimeout: 240_000,
    pool: 'forks',
    maxWorkers: 3,
    env: { FULL: 'true' },
    projects: [
      { extends: true, test: { name: 'apart', include: apart, exclude: [...leftOut, '**/node_modules/**'] } },
      {
        extends: true,
        test: {
          name: 'service',
          include: ['test/**/*.long.ts', 'infra/local/test/**/*.long.ts', ...thinned],
          exclude: [...apart, '**/node_modules/**'],
          setupFiles: ['test/support/known-keys.ts'],
          isolate: false,
        },
      },
    ],
  },
})
