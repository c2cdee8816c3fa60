import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { validate } from '@actions/languageservice'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TextDocument } from 'vscode-languageserver-textdocument'
import { parse } from 'yaml'
import { buildAction } from '../../../infra/commands/github-action.ts'

const own = join(import.meta.dirname, '../../../infra/clients/github-action')
const folder = mkdtempSync(join(tmpdir(), 'github-action-'))
beforeAll(() => buildAction(folder))
afterAll(() => rmSync(folder, { recursive: true }))

const action = readFileSync(join(own, 'action.yml'), 'utf8')
const readme = readFileSync(join(own, 'README.md'), 'utf8')

let documents = 0
/** The language service remembers what it has read by its address. */
const document = (path: string, text: string) => TextDocument.create(`file:///${documents++}/${path}`, 'yaml', 1, text)

/** What GitHub's language service says about a workflow that uses the action; it reads those of other repositories only. */
const judge = async (workflow: string) => {
  const text = workflow.replaceAll('./.github/actions/post-on-release', 'example/post-on-release@v1')
  const diagnostics = await validate(document('.github/workflows/release.yml', text), {
    actionsMetadataProvider: {
      fetchActionMetadata: async ({ owner }) => (owner === 'example' ? parse(action) : { name: '', description: '' }),
    },
  })
  return diagnostics.map(({ message }) => message)
}

test("GitHub's own parser accepts the description of the action", async () => {
  expect(await validate(document('action.yml', action))).toEqual([])
  const broken = await validate(document('action.yml', action.replace('main:', 'mane:')))
  expect(broken.map(({ message }) => message).join()).toContain('mane')
})

test('the workflows of the README are valid, and name inputs that exist', async () => {
  const workflows = [...readme.matchAll(/```yaml\n([\s\S]+?)```/g)].map(([, text = '']) => text)
  expect(workflows).toHaveLength(2)
  for (const workflow of workflows) {
    expect(await judge(workflow)).toEqual([])
    expect((await judge(workflow.replace('accounts:', 'account:'))).join()).toMatch(/account\b/)
  }
})

test('the README describes every input and output', () => {
  const { inputs, outputs } = parse(action)
  const table = [...readme.matchAll(/^\| `([\w-]+)` \|/gm)].map(([, name]) => name)
  expect(table).toEqual(Object.keys(inputs))
  for (const name of Object.keys(outputs)) expect(readme).toContain(`\`${name}\``)
})

test('the sources have no error of types', async () => {
  const compiler = join(own, '../../node_modules/typescript/bin/tsc')
  const run = promisify(execFile)(process.execPath, [compiler, '--noEmit', '-p', own])
  expect((await run.catch((error) => error)).stdout).toBe('')
})

test('the built action is one file of at most 60 KB, 20 KB compressed, with the licenses of its contents', () => {
  expect(readdirSync(folder).sort()).toEqual(['LICENSE', 'NOTICE', 'README.md', 'action.yml', 'dist', 'package.json'])
  expect(readdirSync(join(folder, 'dist'))).toEqual(['index.js'])
  const program = readFileSync(join(folder, 'dist/index.js'))
  expect(program.length).toBeLessThan(60_000)
  expect(gzipSync(program).length).toBeLessThan(20_000)
  const notice = readFileSync(join(folder, 'NOTICE'), 'utf8')
  expect(notice.match(/^\S+ \d+\.\d+\.\d+ \(\S+\)$/gm)).toEqual(['@actions/core 3.0.1 (MIT)'])
  const imported = [...program.toString().matchAll(/\bfrom ?"([^"]+)"/g)].map(([, name = '']) => name)
  expect(imported.filter((name) => !isBuiltin(name))).toEqual([])
})
