import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Metafile } from 'esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { everyRoute, workerTable } from '../../functions/routes.ts'
import { bundle } from '../../infra/bundle.ts'
import { bounds } from '../../shared/media/convert/bounds.ts'
import type { Need } from '../../shared/resources.ts'
import { png } from '../media/files.ts'

let folder: string
let metafile: Metafile

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'social-bundles-'))
  metafile = await bundle(folder)
}, 180_000)
afterAll(() => rm(folder, { recursive: true, force: true }))

const kilobyte = 1000

const accepting = new Set([
  'posts-validate',
  'posts-schedule',
  'posts-publish-now',
  'posts-reschedule',
  'posts-schedule-thread',
  'posts-publish-thread-now',
])

/** What a function may weigh, by the heaviest thing it does. */
const budgetOf = (name: string, needs: readonly Need[], worker: boolean): number => {
  const wants = (...some: readonly Need[]) => some.some((need) => needs.includes(need))
  // It looks into files of six formats, copies them, and asks for previews by a third client.
  if (name === 'media-complete') return 435 * kilobyte
  // Who accepts or checks posts counts texts as X does, 30 KB, and asks platforms for their rules.
  if (accepting.has(name)) return 455 * kilobyte
  // A new password is compared with a list of 68 KB.
  if (/^(auth-(change|reset)|pages-reset)-password$/.test(name)) return 330 * kilobyte
  // It reads ten languages, 90 KB, and carries the clients of S3, S3 Vectors and Bedrock.
  if (name === 'memory-search' || name === 'index-memories') return 570 * kilobyte
  if (
    wants(
      'incoming:write',
      'media:read',
      'media:write',
      'media:purge',
      'index:read',
      'index:purge',
      'mail',
      'platform-secrets',
    ) ||
    (wants('kms:encrypt') && wants('kms:decrypt'))
  ) {
    // A publisher carries five clients and twelve platforms; no caller waits for its cold start.
    if (wants('vectors:purge')) return 480 * kilobyte
    if (worker) return (wants('platform-secrets') ? 650 : 430) * kilobyte
    return 400 * kilobyte
  }
  if (
    wants(
      'queue:prepare',
      'queue:publish',
      'queue:events',
      'queue:deliver',
      'queue:drain',
      'queue:replay',
      'queue:purge',
      'queue:index',
      'schedule',
      'kms:encrypt',
      'kms:decrypt',
    )
  ) {
    return 300 * kilobyte
  }
  // 7 KB of it count calls against the rate limits, 4 KB check quotas, 2 KB write the security log, 3 KB say what a
  // request in trouble has done, 3 KB name every fault by its field.
  return 243 * kilobyte
}

const functions = [
  ...everyRoute.map(({ name, endpoint }) => ({ name, needs: endpoint.contract.needs, worker: false })),
  ...workerTable.map(({ name, worker }) => ({ name, needs: worker.definition.needs, worker: true })),
]

const outputOf = (name: string) =>
  Object.entries(metafile.outputs).find(([path]) => path.endsWith(`/${name}/index.cjs`))?.[1]

test('each function stays within the size budget of its kind', () => {
  const heavy = functions
    .map(({ name, needs, worker }) => ({
      name,
      bytes: outputOf(name)?.bytes ?? Number.POSITIVE_INFINITY,
      max: budgetOf(name, needs, worker),
    }))
    .filter(({ bytes, max }) => bytes > max)
  expect(heavy).toEqual([])
})

test('no bundle contains code that Lambda never runs', () => {
  const carried = new Set(
    Object.entries(metafile.outputs)
      .filter(([path]) => path.endsWith('/index.cjs'))
      .flatMap(([, { inputs }]) => Object.entries(inputs))
      .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
      .map(([path]) => path),
  )
  expect(carried.size).toBeGreaterThan(300)
  const unwanted =
    /\/locales\/|undici|\bsso|event-?stream(?!s?[a-z-]*(\/dist-es)?\/index\.js)|aws-cdk|mnemonist|\/infra\/(?!slim)|json-schema-processors/
  expect([...carried].filter((path) => unwanted.test(path))).toEqual([])
})

test('native code is imported by name, and only where a layer provides it', () => {
  const asking = Object.entries(metafile.outputs).filter(([, { imports }]) =>
    imports.some(({ path }) => path === 'sharp'),
  )
  const files = asking.map(([path]) => path.split('/').slice(-2).join('/'))
  expect(files.sort()).toEqual(['make-preview', 'prepare-post'].map((name) => `${name}/image-program.cjs`))
})

test('the image program runs from its place next to a bundle, with the library of the layer', async () => {
  const program = fork(join(folder, 'make-preview', 'image-program.cjs'), [JSON.stringify(bounds)], {
    execArgv: [],
    serialization: 'advanced',
    env: { NODE_PATH: join(import.meta.dirname, '../../node_modules') },
  })
  program.send({ kind: 'preview', bytes: png(64, 48) })
  const [answer] = await once(program, 'message')
  program.kill('SIGKILL')
  expect(answer).toMatchObject({ made: { width: 64, height: 48, mimeType: 'image/webp' } })
})

test('every bundle loads and exports its handler', () => {
  const load = createRequire(import.meta.url)
  for (const { name } of functions) {
    expect(load(join(folder, name, 'index.cjs')), name).toMatchObject({ handler: expect.any(Function) })
  }
})

test('the files that a route serves are next to its bundle', async () => {
  for (const file of ['openapi.json', 'viewer.js']) {
    expect((await stat(join(folder, 'meta-openapi', file))).size).toBeGreaterThan(10_000)
  }
})
