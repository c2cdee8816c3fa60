import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  // The relay brings a zod of its own.
  resolve: { alias: { 'zod/mini': join(import.meta.dirname, '../../node_modules/zod/mini/index.js') } },
  test: {
    // Vitest empties a cache that was filled under another lockfile, and this folder has its own.
    fsModuleCachePath: join(import.meta.dirname, 'node_modules/.vitest-cache'),
    include: ['nostr.test.ts'],
    root: import.meta.dirname,
    testTimeout: 60_000,
  },
})
