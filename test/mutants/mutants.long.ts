import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { mutants } from './mutants.ts'

const root = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'mutants-'))
afterAll(() => rmSync(folder, { recursive: true }))

interface Report {
  numFailedTests: number
  numPassedTests: number
}

/** Runs a suite with a mutant; a thinned suite runs the part that it runs in `npm run test:faults` and its siblings. */
const run = async (name: string, suite: string): Promise<Report> => {
  const outputFile = join(folder, `${name}.json`)
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const { FULL: _, ...env } = process.env
  const args = [vitest, 'run', `test/${suite}`, '--reporter=json', `--outputFile=${outputFile}`]
  await promisify(execFile)(process.execPath, args, {
    cwd: root,
    env: { ...env, MUTANT: name },
    maxBuffer: 2 ** 26,
  }).catch(() => undefined)
  return JSON.parse(readFileSync(outputFile, 'utf8'))
}

test.each(Object.entries(mutants))(
  'the mutant "%s" is caught by its suite',
  async (name, { suite }) => {
    const { numFailedTests, numPassedTests } = await run(name, suite)
    console.log(`${name}: ${numFailedTests} of ${numFailedTests + numPassedTests} tests failed in ${suite}`)
    expect(numFailedTests).toBeGreaterThan(0)
  },
  600_000,
)
