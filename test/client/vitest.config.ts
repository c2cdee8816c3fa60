import { defineConfig } from 'vitest/config'

/** The client package in other runtimes: not part of `npm test`, since it downloads them and needs Chromium. */
export default defineConfig({
  test: {
    include: ['test/client/*.check.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    testTimeout: 180_000,
    hookTimeout: 120_000,
    pool: 'forks',
    maxWorkers: 1,
  },
})
