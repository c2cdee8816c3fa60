import { execFile } from 'node:child_process'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { clientRoutes } from '../../infra/clients/javascript/build/operations.ts'
import { version } from '../../shared/version.ts'
import { installPackage } from './package-folder.ts'

const run = promisify(execFile)

let home: Awaited<ReturnType<typeof installPackage>>
beforeAll(async () => {
  home = await installPackage()
}, 120_000)
afterAll(() => home?.remove())

/** What a program weighs in a browser, minified and compressed. */
const weightOf = async (source: string): Promise<number> => {
  const entry = join(home.folder, 'entry.mjs')
  await writeFile(entry, source)
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    write: false,
    logLevel: 'error',
  })
  return gzipSync(outputFiles[0]?.contents ?? '').length
}

test('the whole client weighs at most 12 KB, its verification of webhooks less than 2 KB, and a receiver less than 3 KB', async () => {
  const whole = await weightOf("export * from 'social-publishing-client'")
  expect(whole).toBeGreaterThan(4_000)
  expect(whole).toBeLessThanOrEqual(12_000)
  const verification = await weightOf("export { verifyWebhook } from 'social-publishing-client'")
  expect(verification).toBeGreaterThan(500)
  expect(verification).toBeLessThan(2_000)
  const receiver = await weightOf("export { listen } from 'social-publishing-client'")
  expect(receiver).toBeGreaterThan(verification)
  expect(receiver).toBeLessThan(3_000)
  expect(await weightOf("import 'social-publishing-client'")).toBeLessThan(100)
})

test('a program of CommonJS requires the package in the oldest Node.js that the manifest names', async () => {
  const { engines } = JSON.parse(await readFile(join(home.installed, 'package.json'), 'utf8'))
  // The first versions in which `require` loads modules without a flag (https://nodejs.org/api/modules.html, 2026-11-24).
  expect(engines).toEqual({ node: '^20.19.0 || >=22.12.0' })
  await writeFile(join(home.folder, 'old.cjs'), "console.log(typeof require('social-publishing-client').createClient)")
  const { stdout } = await run(process.execPath, [join(home.folder, 'old.cjs')])
  expect(stdout).toBe('function\n')
})

test('the package has no dependency, its types, its license, and nothing else', async () => {
  const manifest = JSON.parse(await readFile(join(home.installed, 'package.json'), 'utf8'))
  expect(manifest).toMatchObject({ name: 'social-publishing-client', version, type: 'module' })
  expect(Object.keys(manifest).filter((key) => /dependencies|scripts/i.test(key))).toEqual([])
  expect((await readdir(home.installed)).sort()).toEqual([
    'LICENSE',
    'README.md',
    'REFERENCE.md',
    'dist',
    'package.json',
  ])
  const modules = await readdir(join(home.installed, 'dist'))
  expect(modules).toContain('api.d.ts')
  for (const name of modules.filter((each) => each.endsWith('.js'))) {
    const text = await readFile(join(home.installed, 'dist', name), 'utf8')
    const specifiers = [...text.matchAll(/\bfrom '([^']+)'/g)].map(([, specifier = '']) => specifier)
    expect(specifiers.filter((specifier) => !/^\.\/[\w-]+\.js$/.test(specifier))).toEqual([])
  }
})

const program = `
import { createClient, isCode, listen, verifyWebhook, type MediaAsset, type Post } from 'social-publishing-client'
import { fileFromPath } from 'social-publishing-client/node'

const client = createClient({ baseUrl: 'http://127.0.0.1:1', token: async () => 'svc_pat_1', workspaceId: 'ws_1' })
export const run = async (): Promise<Post> => {
  const posts: Post[] = await client.posts.schedule({ socialAccountIds: ['acc_1'], content: 'Hi', scheduledAt: '2031-01-01T09:00:00Z' })
  const times = { scheduledAt: new Date(Date.now() + 60_000) }
  posts.push(...(await client.posts.schedule({ socialAccountIds: ['acc_1'], content: 'Hi', ...times })))
  await client.posts.reschedule('post_1', times)
  for await (const post of client.posts.list.all({ status: 'scheduled', limit: 10, from: new Date() })) posts.push(post)
  const text: string | null | undefined = posts[0]?.scheduledAt
  console.log(text)
  for await (const { nextCursor } of client.webhooks.listEventLog.pages()) console.log(nextCursor)
  const asset: MediaAsset = await client.media.upload(await fileFromPath('cat.png'))
  await client.ai.transcribe(new Blob([], { type: 'audio/mpeg' }))
  const event = await verifyWebhook('{}', new Headers(), 'whsec_x')
  if (event.type === 'post.published') console.log(event.data.postId, asset.id)
  const receiver: (request: Request) => Promise<Response> = client.webhooks.listen({
    secret: 'whsec_x',
    handled: new Set<string>(),
    on: { 'post.published': ({ data }) => console.log(data.publishedPostUrl), '*': ({ type }) => console.log(type) },
  })
  console.log(await receiver(new Request('http://localhost')))
  const { data, rateLimit } = await client.posts.get('post_1', { signal: AbortSignal.timeout(1) }).withResponse()
  console.log(rateLimit?.remaining)
  return data
}
try {
  await run()
} catch (error) {
  if (isCode(error, 'x_cap_exceeded', 'connection_failed')) {
    const code: 'x_cap_exceeded' | 'connection_failed' = error.code
    console.log(code)
  }
  // @ts-expect-error: no such code
  isCode(error, 'no_such_code')
}
// @ts-expect-error: a field is missing
client.posts.schedule({ content: 'Hi' })
// @ts-expect-error: no such status
client.posts.list({ status: 'lost' })
// @ts-expect-error: no such event
listen({ secret: 'whsec_x', on: { 'post.lost': () => {} } })
// @ts-expect-error: an id is missing
client.posts.get()
`

test('its types hold in a strict program for browsers, without the types of Node.js', async () => {
  await writeFile(join(home.folder, 'program.ts'), program)
  const compilerOptions = {
    target: 'es2022',
    lib: ['es2023', 'dom', 'dom.iterable'],
    module: 'esnext',
    moduleResolution: 'bundler',
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    noEmit: true,
  }
  await writeFile(join(home.folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }))
  const compiler = join(import.meta.dirname, '../../node_modules/typescript/bin/tsc')
  const { stdout } = await run(process.execPath, [compiler, '-p', home.folder]).catch((error) => error)
  expect(stdout).toBe('')
})

test('the types and the reference have every operation, with its description', async () => {
  const types = await readFile(join(home.installed, 'dist/api.d.ts'), 'utf8')
  const reference = await readFile(join(home.installed, 'REFERENCE.md'), 'utf8')
  for (const { operation, endpoint } of clientRoutes) {
    expect(reference).toContain(`\`${operation}(`)
    expect(types).toContain(`* ${endpoint.contract.summary}.`)
  }
  expect(types).toContain('The IDs of the accounts to publish to, `acc_…`')
  expect(types.replaceAll(/\/\*[\s\S]*?\*\//g, '')).not.toMatch(/\bany\b/)
})
