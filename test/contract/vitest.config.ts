import { defineConfig } from 'vitest/config'

/** Requests that a program by other people makes from the OpenAPI document: not part of `npm test`, it needs python3. */
export default defineConfig({
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    include: ['test/contract/*.check.ts'],
    testTimeout: 1_800_000,
    hookTimeout: 300_000,
    pool: 'forks',
  },
})
