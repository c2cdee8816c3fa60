import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { createRequire, SourceMap } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Metafile } from 'esbuild'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { everyRoute, workerTable } from '../../functions/routes.ts'
import { bundle } from '../../infra/deploy/bundle.ts'
import { bounds } from '../../shared/media/convert/bounds.ts'
import type { Need } from '../../shared/resources.ts'
import { png } from '../media/files.ts'

let folder: string
let metafile: Metafile

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'social-bundles-'))
  metafile = await bundle({ folder, withMaps: true })
}, 180_000)
afterAll(() => rm(folder, { recursive: true, force: true }))

const kilobyte = 1000

const accepting = new Set([
  'posts-validate',
  'posts-schedule',
  'posts-publish-now',
  'posts-reschedule',
  'posts-update',
  'posts-schedule-thread',
  'posts-publish-thread-now',
])

/** What a function may weigh, by the heaviest thing it does. */
const budgetOf = (name: string, needs: readonly Need[], worker: boolean): number => {
  const wants = (...some: readonly Need[]) => some.some((need) => needs.includes(need))
  // They show the workspace, with the names of all platforms, which come with their rules.
  if (['pages-show-workspace', 'pages-create-token', 'pages-change-assistants'].includes(name)) return 386 * kilobyte
  // The MCP server: the official library with all of zod, 260 KB, and the operations of all tools with their clients.
  if (name === 'oauth-mcp') return 1149 * kilobyte
  // It checks whether live posts wait for their deletion.
  if (name === 'auth-preview-deletion') return 292 * kilobyte
  // It reads the accounts of a customer.
  if (name === 'posts-list') return 288 * kilobyte
  // They write the audit trail where an assistant calls, 3 KB, or by a person.
  if (['drafts-create', 'drafts-update', 'webhooks-update'].includes(name)) return 286 * kilobyte
  // It looks into files of eight formats, at videos down to their codecs, copies them without their
  // metadata, 15 KB, and requests previews by a third client.
  if (name === 'media-complete') return 441 * kilobyte
  // They fetch the metadata document of an assistant by the guarded client; whoever allows it gets an email.
  if (name === 'pages-show-consent') return 284 * kilobyte
  if (name === 'pages-answer-consent') return 307 * kilobyte
  // Stripe's library has 240 KB: it has every resource of Stripe's API, and no part of it can be left out.
  if (wants('stripe')) return 558 * kilobyte
  // Who accepts or checks posts counts texts as X does, 30 KB, queries platforms for their rules and servers for their limits, renews credentials, and checks addresses.
  // It also edits live posts, 5 KB.
  if (name === 'posts-update') return 565 * kilobyte
  if (accepting.has(name)) return 558 * kilobyte
  // They sign in at the platforms with a form, and make links to all other platforms, whose clients register apps at servers.
  if (name === 'pages-connect-from-workspace') return 597 * kilobyte
  // It also lets people choose a platform, 4 KB, and customers end their connections, 10 KB.
  if (name === 'pages-connect-accounts') return 604 * kilobyte
  // Relays are called by WebSocket, 45 KB, and the curve of Nostr's keys, 35 KB, is not one of Node.js.
  if (name === 'social-accounts-connect-nostr') return 434 * kilobyte
  // It inspects files of eight formats, streams them to S3 without their metadata, and checks the rules of all platforms.
  if (name === 'import-media') return 538 * kilobyte
  // A new password is compared with a list of 68 KB; the assistants of a person are named, or end.
  if (/^(auth-(change|reset)|pages-reset)-password$/.test(name)) return 369 * kilobyte
  // What searches memories, and the rules of all platforms; no caller notices its cold start next to the latency of the model.
  if (name === 'ai-generate' || name === 'ai-create-job') return 635 * kilobyte
  // The rules of all platforms, and the client of Bedrock.
  if (name === 'ai-rewrite') return 528 * kilobyte
  // It stores recordings, and reads what jobs return.
  if (name === 'ai-transcribe') return 401 * kilobyte
  // The same with the clients of S3 and Amazon Transcribe; no caller waits for its cold start.
  if (name === 'run-ai-job') return 519 * kilobyte
  // It has ten filters, 3 KB, in addition to what every endpoint has.
  if (name === 'posts-list') return 283 * kilobyte
  // It signs URLs of S3, for a link that it uses up in the table, and has a page for a link that cannot be used, also of
  // one that a newer release wrote.
  if (name === 'workspaces-download-export') return 387 * kilobyte
  // It reads ten languages, 90 KB, and carries the client of S3.
  if (name === 'memory-search' || name === 'index-memories') return 477 * kilobyte
  if (
    wants('incoming:write', 'media:read', 'media:write', 'media:purge', 'index:read', 'index:purge', 'mail') ||
    needs.some((need) => need.startsWith('platform-secrets') || need === 'kms:decrypt:server') ||
    (wants('kms:encrypt:person') && wants('kms:decrypt:person'))
  ) {
    // It converts images and rewrites videos in addition to what a publisher contains, 9 KB, reports that an access ends, 2 KB, and
    // removes the metadata of files that earlier releases stored, 20 KB.
    if (name === 'prepare-post') return 848 * kilobyte
    // A publisher carries five clients and fifteen platforms, among them 80 KB for the curve and the relays of Nostr, and
    // 16 KB of top-level domains for the links of Bluesky; no caller waits for its cold start.
    // It removes rows, files, and accounts, whose collections it hands on by the client of SQS.
    if (name === 'purge') return 468 * kilobyte
    if (worker) return (wants('platform-secrets') ? 827 : 390) * kilobyte
    return 483 * kilobyte
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
      'queue:export',
      'queue:index',
      'queue:notify',
      'queue:billing',
      'schedule',
      'kms:encrypt',
      'kms:decrypt',
      'kms:decrypt:person',
    )
  ) {
    return 357 * kilobyte
  }
  // 7 KB of it count calls against the rate limits, 4 KB are the document client, 4 KB check quotas, 2 KB write the security log, 3 KB say what a
  // request in trouble has done, 3 KB name every fault by its field, 1 KB links every error to its page, 1 KB lets the MCP server call,
  // 2 KB are for applications: how their calls are counted, and whose plan pays for a child workspace. Half of one refuses
  // changes while an operator has paused them.
  return 283 * kilobyte
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
      .flatMap(([output, { inputs }]) => Object.entries(inputs).map(([path, input]) => ({ output, path, ...input })))
      // The library of the MCP server imports all of zod.
      .filter(({ output, path }) => !(output.endsWith('/oauth-mcp/index.cjs') && path.includes('/zod/')))
      .filter(({ bytesInOutput }) => bytesInOutput > 0)
      .map(({ path }) => path),
  )
  expect(carried.size).toBeGreaterThan(300)
  const unwanted =
    /\/locales\/|undici|ajv|\bsso|event-?stream(?!s?[a-z-]*(\/dist-es)?\/index\.js)|aws-cdk|\/infra\/(?!deploy\/slim)|json-schema-processors|shared\/http\/described/
  expect([...carried].filter((path) => unwanted.test(path))).toEqual([])
})

test('the library of the MCP server is in its own function and in no other', () => {
  const carriers = Object.entries(metafile.outputs).filter(([, { inputs }]) =>
    Object.keys(inputs).some((path) => path.includes('/@modelcontextprotocol/')),
  )
  expect(carriers.map(([path]) => path.split('/').at(-2))).toEqual(['oauth-mcp'])
})

test('native code is imported by name, and only where a layer provides it', () => {
  const importing = Object.entries(metafile.outputs).filter(([, { imports }]) =>
    imports.some(({ path }) => path === 'sharp'),
  )
  const files = importing.map(([path]) => path.split('/').slice(-2).join('/'))
  expect(files.sort()).toEqual(['make-preview', 'prepare-post'].map((name) => `${name}/image-program.cjs`))
})

test('the image program runs next to a bundle, with the library of the layer', async () => {
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

test('every bundle loads and exports its handler, and makes nothing that takes milliseconds before it is used', () => {
  const load = createRequire(import.meta.url)
  const slow = ['Segmenter', 'DateTimeFormat'] as const
  const made = slow.map((name) => vi.spyOn(Intl, name))
  onTestFinished(() => void made.map((spy) => spy.mockRestore()))
  for (const { name } of functions) {
    expect(load(join(folder, name, 'index.cjs')), name).toMatchObject({ handler: expect.any(Function) })
    for (const [at, spy] of made.entries()) expect(spy, `${slow[at]} in ${name}`).not.toHaveBeenCalled()
  }
})

/** Functions that serve a file, and its name. */
const readers = {
  'meta-docs-viewer': 'viewer.js',
  'meta-error-code': 'errors.json',
  'meta-guide': 'guides.json',
  'meta-llms': 'llms.txt',
  'meta-llms-full': 'llms-full.txt',
  'meta-openapi': 'openapi.json',
  'oauth-mcp': 'tools.json',
  'platforms-list': 'platforms.json',
  'webhooks-list-events': 'event-types.json',
}

test('the files that a route serves are next to its bundle, and no others', async () => {
  const sizeOf = async (file: string) => (await stat(join(folder, file))).size
  for (const file of ['meta-openapi/openapi.json', 'meta-guide/guides.json', 'meta-docs-viewer/viewer.js']) {
    expect(await sizeOf(file), file).toBeGreaterThan(10_000)
  }
  expect(await readdir(join(folder, 'meta-openapi'))).toEqual(['index.cjs', 'openapi.json'])
  for (const [name, file] of Object.entries(readers)) {
    expect(await readdir(join(folder, name)), name).toContain(file)
  }
  // A response of Lambda has at most 6 MB (https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html).
  const script = await readFile(join(folder, 'meta-docs-viewer/viewer.js'), 'utf8')
  expect(Buffer.byteLength(JSON.stringify(script))).toBeLessThan(5_000_000)
})

test('a stack of a deployed function leads to its line in the repository, and no map has a copy of the source', async () => {
  const code = await readFile(join(folder, 'publish-post', 'index.cjs'), 'utf8')
  const map = JSON.parse(await readFile(join(folder, 'maps', 'publish-post.cjs.map'), 'utf8'))
  const text = 'attempt ended'
  const before = code.slice(0, code.indexOf(text)).split('\n')
  const origin = new SourceMap(map).findEntry(before.length - 1, before.at(-1)?.length ?? 0)
  if (!('originalSource' in origin)) throw new Error('the map has no such place')
  const file = resolve(folder, 'maps', origin.originalSource)
  expect(file).toMatch(/\/shared\/posts\//)
  expect((await readFile(file, 'utf8')).split('\n').slice(origin.originalLine).join('\n')).toContain(text)
  const maps = await readdir(join(folder, 'maps'))
  expect(maps.length).toBeGreaterThan(functions.length)
  for (const name of maps) {
    expect((await readFile(join(folder, 'maps', name), 'utf8')).includes('"sourcesContent"'), name).toBe(false)
  }
})
