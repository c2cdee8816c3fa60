import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { slimSchemas } from '../../infra/deploy/slim/aws-schemas.ts'

const clients = [
  'bedrock-runtime',
  'dynamodb',
  'eventbridge',
  'kms',
  's3',
  'scheduler',
  'secrets-manager',
  'sesv2',
  'sqs',
  'transcribe',
]
const load = createRequire(import.meta.url)
const folderOf = (client: string) =>
  join(dirname(load.resolve(`@aws-sdk/client-${client}/package.json`)), 'dist-es/schemas')

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'social-schemas-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** What a module exports once it is bundled, as text. */
const exportsOf = async (name: string, text: string, resolveDir: string): Promise<string> => {
  const { outputFiles } = await build({
    stdin: { contents: text, resolveDir, loader: 'js' },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    mainFields: ['module', 'main'],
    write: false,
  })
  const file = join(folder, `${name}.cjs`)
  await writeFile(file, outputFiles[0]?.contents ?? '')
  return JSON.stringify({ ...load(file) }, (_, value) => (typeof value === 'function' ? String(value) : value))
}

test.each(
  clients,
)('the schemas of %s stay the same, and a bundler can see that an unused one has no effect', async (client) => {
  const text = await readFile(join(folderOf(client), 'schemas_0.js'), 'utf8')
  const slim = slimSchemas(text, text)
  expect(slim).not.toMatch(/\[_\w+\]:/)
  const [before, after] = [
    await exportsOf(`${client}-before`, text, folderOf(client)),
    await exportsOf(`${client}-after`, slim, folderOf(client)),
  ]
  expect(before.length).toBeGreaterThan(1_000)
  expect(after === before).toBe(true)
})

test('a key whose value is not a constant of the module stays computed', () => {
  expect(slimSchemas('const _h = "http";\nexport var A$ = [3, { [_h]: 1, [_other]: 2 }];', '')).toBe(
    'const _h = "http";\nexport var A$ = [3, { "http": 1, [_other]: 2 }];',
  )
})
