import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['*.test.ts'],
    root: import.meta.dirname,
    testTimeout: 60_000,
    hookTimeout: 240_000,
    maxWorkers: 2,
    // It imports JSON as bundlers take it.
    server: { deps: { inline: [/@actions/] } },
  },
})
