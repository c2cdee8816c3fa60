import { defineConfig } from 'vitest/config'

/** Verifiers and a client in other languages: not part of `npm test`, since they need python3 and go on the machine. */
export default defineConfig({
  test: {
    include: ['test/receivers/*.check.ts', 'test/client-python/*.check.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    testTimeout: 120_000,
    pool: 'forks',
  },
})
