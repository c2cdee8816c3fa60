import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { dropSpecTypes, unlessUsed } from '../../infra/deploy/slim/mcp-schemas.ts'

const library = join(dirname(fileURLToPath(import.meta.resolve('@modelcontextprotocol/server'))), '../..')
const [schemas, auth, server] = ['core/dist/schemas-*.mjs', 'core/dist/auth-*.mjs', 'server/dist/src-*.mjs'].map(
  (pattern) => globSync(join(library, pattern))[0] ?? pattern,
)

const bundled = async (contents: string) => {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: dirname(schemas ?? ''), loader: 'js' },
    bundle: true,
    external: ['zod'],
    format: 'esm',
    minify: true,
    write: false,
  })
  return outputFiles[0]?.text ?? ''
}

test.each([
  ['the protocol', schemas],
  ['OAuth', auth],
])('every schema of %s is made only where something uses it', async (_, file = '') => {
  const text = await readFile(file, 'utf8')
  const names = [...text.matchAll(/^const (\w+Schema) = /gm)].map(([, name]) => name)
  const slim = unlessUsed(text)
  expect(names.length).toBeGreaterThan(10)
  expect(slim.split('/* @__PURE__ */ (() =>').length - 1).toBe(names.length)
  const withoutExports = slim.replace(/^export .*$/m, '')
  expect((await bundled(withoutExports)).length).toBeLessThan(100)
  const last = names.at(-1)
  expect(await bundled(`${withoutExports}\nconsole.log(${last})`)).toContain('console.log')
})

test('the server goes without its table of types, and a module of another form is an error', async () => {
  const text = await readFile(server ?? '', 'utf8')
  expect(text).toMatch(/^for .* register\(/m)
  expect(dropSpecTypes(text)).not.toMatch(/^for .* register\(/m)
  expect(() => dropSpecTypes('export const specTypeSchemas = load()')).toThrow('another form')
})
