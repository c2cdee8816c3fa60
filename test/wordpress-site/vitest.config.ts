import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: { include: ['wordpress.test.ts'], root: import.meta.dirname, testTimeout: 60_000, hookTimeout: 240_000 },
})
