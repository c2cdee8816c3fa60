import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes'
import { transform } from 'esbuild'
import { ESLint } from 'eslint'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildNodes } from '../../../infra/commands/n8n.ts'

const own = join(import.meta.dirname, '../../../infra/clients/n8n')
const folder = mkdtempSync(join(tmpdir(), 'n8n-nodes-'))
beforeAll(() => buildNodes(folder))
afterAll(() => rmSync(folder, { recursive: true }))

const textOf = (path: string) => readFileSync(join(folder, path), 'utf8')

test('the sources have no error of types', async () => {
  const compiler = join(own, '../../node_modules/typescript/bin/tsc')
  const run = promisify(execFile)(process.execPath, [compiler, '--noEmit', '-p', own])
  expect((await run.catch((error) => error)).stdout).toBe('')
})

/** Rules of n8n that do not hold here, and why. */
const leftOut = [
  // A signing secret cannot be tested by a request.
  'credential-test-required',
]

test("n8n's own rules for community nodes find nothing", async () => {
  const plugin = n8nCommunityNodesPlugin
  const rules = Object.fromEntries(
    Object.entries(plugin.configs.recommendedWithoutN8nCloudSupport.rules ?? {}).filter(
      ([name]) => !leftOut.some((each) => name.endsWith(`/${each}`)),
    ),
  )
  expect(Object.keys(rules).length).toBeGreaterThan(20)
  const lint = new ESLint({
    cwd: own,
    overrideConfigFile: true,
    baseConfig: [{ files: ['**/*'], plugins: { '@n8n/community-nodes': plugin }, rules }],
  })
  for (const name of readdirSync(join(own, 'src')).filter((each) => each.endsWith('.ts'))) {
    const { code } = await transform(readFileSync(join(own, 'src', name), 'utf8'), { loader: 'ts', target: 'es2022' })
    const [result] = await lint.lintText(code, { filePath: join(own, 'src', name.replace(/ts$/, 'js')) })
    expect(result?.messages.map(({ message, ruleId }) => `${name} ${ruleId}: ${message}`)).toEqual([])
  }
})

test('the package has no dependency, and at most 60 KB for each node, 20 KB compressed', () => {
  const manifest = JSON.parse(textOf('package.json'))
  expect([manifest.dependencies, manifest.peerDependencies, manifest.type]).toEqual([
    undefined,
    { 'n8n-workflow': '*' },
    undefined,
  ])
  for (const file of [...manifest.n8n.nodes, ...manifest.n8n.credentials]) {
    const program = textOf(file)
    expect(program.length).toBeLessThan(60_000)
    expect(gzipSync(program).length).toBeLessThan(20_000)
    const required = [...program.matchAll(/require\("([^"]+)"\)/g)].map(([, name = '']) => name)
    expect(required.filter((name) => name !== 'n8n-workflow' && !name.startsWith('node:'))).toEqual([])
  }
})
