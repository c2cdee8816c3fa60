import { defineConfig } from 'vitest/config'
import { leftOutWithoutJava } from './test/support/java.ts'

/** Files that keep something for the process: they start processes, or end with hooks of a module they share. */
const apart = ['test/start/**/*.test.ts', 'test/engines/{queues,schedules}*.test.ts']

const leftOut = leftOutWithoutJava('test/engines/table/oracle/**/*.test.ts')

export default defineConfig({
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    // The first test that starts the service waits until its templates are synthesized.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks',
    // More than there are cores: tests of real time and of other processes wait.
    maxWorkers: 4,
    projects: [
      { extends: true, test: { name: 'apart', include: apart, exclude: [...leftOut, '**/node_modules/**'] } },
      {
        extends: true,
        test: {
          name: 'service',
          include: ['test/**/*.test.ts'],
          exclude: [...apart, ...leftOut, 'test/bluesky-pds/**', '**/node_modules/**'],
          setupFiles: ['test/support/before-file.ts'],
          // Each test starts a service of its own; loading the code once for all of them saves half of the time.
          isolate: false,
        },
      },
    ],
  },
})
