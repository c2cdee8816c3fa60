import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { patched } from '../support/patched-tree.ts'
import { mutants } from './mutants.ts'

const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8')

test.each(Object.entries(mutants))('the sources have what the mutant "%s" replaces', (_name, { patches }) => {
  for (const patch of patches) expect(patched(patch)).toContain(patch.by)
})

test('README.md has each law with its suite and its mutant', () => {
  const lines = Object.entries(mutants).map(([name, { law, suite }]) => `| ${law} | \`${suite}\` | \`${name}\` |`)
  expect(lines.filter((line) => !readme.includes(`\n${line}\n`))).toEqual([])
})
