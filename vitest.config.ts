import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/bluesky-pds/**', '**/node_modules/**'],
    globalSetup: ['test/support/global-setup.ts'],
    // The first test that starts the service waits until its templates are synthesized.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks',
    // Half of the time a worker waits for the database.
    maxWorkers: 3,
  },
})
