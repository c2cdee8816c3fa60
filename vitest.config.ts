import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { leftOutWithoutJava } from './test/support/java.ts'

/** What the service does when something dies, fails, is late, or meets something else: `npm run test:faults`. */
const faults = [
  'test/**/{*-,}{bombs,crash,deaths,failing,failures,faults,outage,races,sequences,trouble}.test.ts',
  'test/journeys/{busy-accounts,doubt-matrix,hot-partition,messages,tokens,unknown-outcome,unsettled}.test.ts',
  'test/journeys/{kept,lost}-connection.test.ts',
  'test/{journeys/faults,model}/**/*.test.ts',
  'test/{aws/silent,dead-table,fuzz,media/convert-late,webhooks/slow}.test.ts',
]

/** What runs, deploys, and calls the service, and a reader of all sources: `npm run test:local`. Others are `npm test`. */
const local = [
  'infra/local/test/**/*.test.ts',
  ...['cli', 'client', 'cost', 'infra', 'start'].map((folder) => `test/${folder}/**/*.test.ts`),
  'test/errors/catalog.test.ts',
]

/** Files that keep something for the process: they start processes, or end with hooks of a module they share. */
const apart = ['test/start/**/*.test.ts', 'infra/local/test/engines/{queues,schedules}*.test.ts']

const leftOut = [...leftOutWithoutJava('infra/local/test/engines/table/oracle/**/*.test.ts'), '**/node_modules/**']

/** A test starts a service of its own; loading the code once for all of them saves half of the time. */
const together = { setupFiles: ['test/support/before-file.ts'], isolate: false }

export default defineConfig({
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    reporters: ['default', './test/support/progress.ts'],
    // What passes prints nothing, and is only worth a line of its own if it is slow.
    silent: 'passed-only',
    slowTestThreshold: 20_000,
    // The first test that starts the service waits until its templates are synthesized.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks',
    // One for each core: a third on two cores takes longer, and each takes up to 1.3 GB.
    maxWorkers: Math.min(4, Math.max(2, availableParallelism())),
    projects: [
      {
        extends: true,
        test: {
          ...{ name: 'service', include: ['test/**/*.test.ts'] },
          ...{
            exclude: [
              ...faults,
              ...local,
              'test/bluesky-pds/**',
              'test/nostr-relay/**',
              'test/wordpress-site/**',
              'test/official-clients/**',
              'test/github-action/**',
              'test/n8n/**',
              '**/node_modules/**',
            ],
          },
          ...together,
        },
      },
      { extends: true, test: { name: 'faults', include: faults, exclude: apart, ...together } },
      { extends: true, test: { name: 'local', include: local, exclude: [...apart, ...leftOut], ...together } },
      { extends: true, test: { name: 'apart', include: apart, exclude: leftOut } },
    ],
  },
})
