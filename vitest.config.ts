import { globSync, mkdtempSync, readFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { mutant } from './test/mutants/plugin.ts'
import { leftOutWithoutJava } from './test/support/java.ts'

// Test files say their kind by their suffix (test/README.md). A project runs one kind, or what one judge needs.

/** What runs, deploys, and calls the service has rooms of its own, since most of it starts processes. */
const local = ['infra/local/test', ...['cli', 'client', 'cost', 'infra', 'start'].map((room) => `test/${room}`)]
const below = (rooms: readonly string[], suffix: string) => rooms.map((room) => `${room}/**/*.${suffix}.ts`)

/** Files that keep something for the process: they start processes, or end with hooks of a module they share. */
const apart = [
  'test/start/**/*.{test,fault,long}.ts',
  'infra/local/test/engines/{queues,schedules}*.test.ts',
  'infra/local/test/engines/**/*.long.ts',
  // It measures what passwords cost.
  'test/media/bombs-pipeline.long.ts',
]

const oracles = ['infra/local/test/engines/table/oracle/**/*.{test,long}.ts']

/** A test starts a service of its own; loading the code once for all of them saves half of the time. */
const together = { setupFiles: ['test/support/before-file.ts'], isolate: false }

/** These run files of other projects again, so they are there only if the command names them. */
const isNamed = (project: string) => process.argv.some((argument) => argument.includes(project))

/** Files of which other projects run a part: `long` runs them whole. */
const thinned = () =>
  globSync('test/**/*.{test,law,fault}.ts').filter((file) => readFileSync(file, 'utf8').includes('/thin.ts'))

const project = (name: string, test: object, rest: object = {}) => ({
  extends: true as const,
  ...rest,
  test: { name, ...test },
})

const slow = { testTimeout: 240_000, hookTimeout: 240_000, env: { FULL: 'true' }, maxWorkers: 3 }

const kinds = () => {
  const leftOut = [...leftOutWithoutJava(...oracles), '**/node_modules/**']
  const elsewhere = [...below(local, '*'), ...leftOut]
  return [
    project('behavior', { include: ['test/**/*.test.ts'], exclude: elsewhere, ...together }),
    project('laws', { include: ['test/**/*.law.ts'], exclude: elsewhere, ...together }),
    project('faults', { include: ['test/**/*.fault.ts'], exclude: elsewhere, ...together }),
    project('local', {
      ...together,
      include: ['test', 'law', 'fault'].flatMap((suffix) => below(local, suffix)),
      exclude: [...apart, ...leftOut],
    }),
    project('local-apart', { include: apart, exclude: ['**/*.long.ts', ...leftOut] }),
    project('long', {
      ...slow,
      ...together,
      include: [...below(['test', ...local], 'long'), ...(isNamed('long') ? thinned() : [])],
      exclude: [...apart, ...leftOut],
    }),
    project('long-apart', { ...slow, include: apart, exclude: ['**/*.{test,fault}.ts', ...leftOut] }),
  ]
}

/** A program by other people in a folder of `test/judges`, which may bring packages of its own. */
const judge = (name: string, test: object = {}) =>
  project(
    name,
    {
      include: [`test/judges/${name}/**/*.judge.ts`],
      testTimeout: 180_000,
      hookTimeout: 300_000,
      maxWorkers: 2,
      ...test,
    },
    // Some of them bring a zod of their own.
    { resolve: { alias: { 'zod/mini': join(import.meta.dirname, 'node_modules/zod/mini/index.js') } } },
  )

/** What the connectors' own tests ask of the stand-ins, and files that ask nothing, the same often, or others. */
const connectors = {
  include: [
    'test/judges/official-clients/clients.judge.ts',
    'test/platforms/*.test.ts',
    'test/journeys/platforms/*.test.ts',
    'test/journeys/{first-comment,live-deletion,live-edit}.fault.ts',
  ],
  exclude: [
    'test/platforms/{*-rules,error-codes,facets,look-back,platform-warnings,rules,tid,video-streams,x-cashtags,x-count}.test.ts',
    'test/**/{linkedin,nostr,reddit,threads,tiktok,wordpress}*.test.ts',
  ],
  setupFiles: ['test/judges/official-clients/answers/record.ts', 'test/support/before-file.ts'],
  isolate: false,
}

const judges = () => [
  judge('bluesky'),
  judge('contract', { testTimeout: 1_800_000 }),
  // A post beyond the longest delay of SQS is waited for.
  judge('emulator', { testTimeout: 1_500_000, hookTimeout: 600_000 }),
  // The runner imports JSON as bundlers take it.
  judge('github-action', { server: { deps: { inline: [/@actions/] } } }),
  judge('n8n'),
  judge('nostr'),
  judge('pypi'),
  judge('receivers'),
  judge('runtimes', { maxWorkers: 1 }),
  judge('templates', { testTimeout: 900_000 }),
  judge('wordpress'),
  ...(isNamed('official-clients')
    ? [
        judge('official-clients-recorded', connectors),
        // Needs Python with PyPI: `.ci/run` leaves it out where there is none.
        judge('official-clients-python', { ...connectors, include: ['test/judges/official-clients/python.judge.ts'] }),
        judge('official-clients-answers', {
          include: ['test/judges/official-clients/answers.judge.ts'],
          sequence: { groupOrder: 1 },
        }),
      ]
    : []),
  ...(isNamed('dynamodb-local')
    ? [
        // The journeys and the lists on DynamoDB Local in place of the embedded table. What platforms do to a post is
        // the same on every table.
        project('dynamodb-local', {
          include: [
            'test/journeys/*.{test,fault}.ts',
            'test/posts/lists.test.ts',
            'test/every-route/two-tenants.law.ts',
          ],
          exclude: [
            'test/journeys/{doubt-matrix,live-edit,platform-faults,platform-quirks,thread-platforms}.{test,fault}.ts',
          ],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          maxWorkers: 3,
          isolate: false,
        }),
      ]
    : []),
]

/** The walks of the console can be repeated by keyboard alone, on each device and in each color scheme. */
const keyboardLooks = ['desk-light', 'desk-dark', 'phone-light', 'phone-dark'].filter(
  (look) =>
    isNamed('keyboard') && process.argv.some((argument) => /keyboard-?\*/.test(argument) || argument.includes(look)),
)

const browser = () => {
  const ofConsole = 'test/browser/console*.walk.ts'
  const measured = 'test/browser/console-budgets.walk.ts'
  const walk = (name: string, test: object) =>
    project(name, {
      testTimeout: 120_000,
      hookTimeout: 120_000,
      maxWorkers: 2,
      expect: { poll: { timeout: 30_000 } },
      ...test,
    })
  return [
    walk('pages', { include: ['test/browser/*.walk.ts'], exclude: [ofConsole] }),
    walk('console', { include: [ofConsole], exclude: [measured] }),
    ...keyboardLooks.map((look) =>
      walk(`keyboard-${look}`, { include: [ofConsole], exclude: [measured], env: { KEYBOARD_LOOK: look } }),
    ),
    // What is measured runs after everything else, and alone.
    walk('measured', { include: [measured], maxWorkers: 1, sequence: { groupOrder: 1 } }),
  ]
}

// Their processes inherit these.
if (isNamed('dynamodb-local')) process.env['TABLE'] = 'dynamodb-local'
if (isNamed('official-clients')) process.env['ANSWERS'] ??= mkdtempSync(join(tmpdir(), 'answers-'))

export default defineConfig({
  plugins: [mutant()],
  test: {
    // A mutant is not in the files, and must not stay in the cache.
    fsModuleCache: process.env['MUTANT'] === undefined,
    globalSetup: ['test/support/global-setup.ts'],
    reporters: ['default', './test/support/progress.ts'],
    // What passes prints nothing, and is only worth a line of its own if it is slow.
    silent: 'passed-only',
    slowTestThreshold: 20_000,
    // Only what hangs meets these. The first test that starts the service waits until its templates are synthesized.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    pool: 'forks',
    // One for each core: a third on two cores takes longer, and each takes up to 1.3 GB.
    maxWorkers: Math.min(4, Math.max(2, availableParallelism())),
    projects: [...kinds(), ...judges(), ...browser()],
  },
})
