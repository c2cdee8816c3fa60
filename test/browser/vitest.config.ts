import { defineConfig } from 'vitest/config'

/** The walks with a real browser: not part of `npm test`, since they need Chromium on the machine. */
export default defineConfig({
  test: {
    include: ['test/browser/*.walk.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    pool: 'forks',
    maxWorkers: 1,
  },
})
