import { defineConfig } from 'vitest/config'

/** Verifiers in other languages: not part of `npm test`, since they need python3 and go on the machine. */
export default defineConfig({ test: { include: ['test/receivers/*.check.ts'], testTimeout: 120_000, pool: 'forks' } })
