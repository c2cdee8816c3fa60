import { defineConfig } from 'vitest/config'

/** Linters by other people for the templates: not part of `npm test`, since they need python3 and PyPI. */
export default defineConfig({
  test: { include: ['test/templates/*.check.ts'], testTimeout: 900_000, hookTimeout: 300_000, pool: 'forks' },
})
