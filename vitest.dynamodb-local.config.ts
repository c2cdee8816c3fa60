import { defineConfig } from 'vitest/config'

// Read by test/support/global-setup.ts.
process.env['TABLE'] = 'dynamodb-local'

/** The journeys and the lists on DynamoDB Local in place of the embedded table. */
export default defineConfig({
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    include: ['test/journeys/*.test.ts', 'test/lists.test.ts', 'test/two-tenants.test.ts'],
    // What platforms do to a post is the same on every table.
    exclude: [
      'test/journeys/{doubt-matrix,live-edit,platform-faults,platform-quirks,thread-platforms}.test.ts',
      '**/node_modules/**',
    ],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    pool: 'forks',
    maxWorkers: 3,
    isolate: false,
  },
})
