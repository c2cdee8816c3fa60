import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

/** The platforms' own clients against the stand-ins: not part of `npm test`, since they are packages of their own. */
export default defineConfig({
  // One of the clients brings a zod of its own.
  resolve: { alias: { 'zod/mini': join(import.meta.dirname, '../../node_modules/zod/mini/index.js') } },
  test: { include: ['clients.test.ts'], root: import.meta.dirname, testTimeout: 60_000 },
})
