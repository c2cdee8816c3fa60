import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

// Each project reads this file; their processes inherit the variable.
process.env['ANSWERS'] ??= mkdtempSync(join(tmpdir(), 'answers-'))

const shared = { root: import.meta.dirname, testTimeout: 60_000, hookTimeout: 60_000 }

const recorded = {
  ...shared,
  globalSetup: ['../support/global-setup.ts'],
  setupFiles: ['answers/record.ts', '../support/before-file.ts'],
  isolate: false,
}

/** What the connectors' own tests ask of the stand-ins. */
const connectors = [
  '../platforms/*.test.ts',
  '../journeys/platforms/*.test.ts',
  '../journeys/{first-comment,live-deletion,live-edit}.test.ts',
]
/** These ask nothing, the same often, or platforms that `answers/none.ts` names. */
const others = [
  '../platforms/{*-rules,bounded-text,error-codes,facets,look-back,probe-law,platform-warnings,rules,tid,video-streams,x-cashtags,x-count}.test.ts',
  '../**/{linkedin,nostr,reddit,threads,tiktok,wordpress}*.test.ts',
]

/**
 * The platforms' own clients against the stand-ins, and what the stand-ins answer to the connectors: not part of
 * `npm test`, since these are packages of their own.
 */
export default defineConfig({
  // One of the clients brings a zod of its own.
  resolve: { alias: { 'zod/mini': join(import.meta.dirname, '../../node_modules/zod/mini/index.js') } },
  test: {
    // Vitest empties a cache that was filled under another lockfile, and this folder has its own.
    fsModuleCachePath: join(import.meta.dirname, 'node_modules/.vitest-cache'),
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: { ...recorded, name: 'recorded', include: ['clients.test.ts', ...connectors], exclude: others },
      },
      // Needs Python with PyPI: `.ci/run` leaves it out where there is none.
      { extends: true, test: { ...recorded, name: 'python', include: ['python.test.ts'] } },
      {
        extends: true,
        test: { ...shared, name: 'answers', include: ['answers.test.ts'], sequence: { groupOrder: 1 } },
      },
    ],
  },
})
