import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { type Case, casesAt } from './cases.ts'

/** The verdict of a verifier for each request, next to the expected one. */
interface Judged {
  expected: readonly string[]
  answered: readonly string[]
}

const verdict = (title: string, taken: boolean) => `${title}: ${taken ? 'taken' : 'refused'}`

/** Runs a program that reads the requests as JSON from its input and writes whether it takes each of them. */
export const runSnippet = (
  command: string,
  args: readonly string[],
  isIncluded: (candidate: Case) => boolean = () => true,
): Judged => {
  const cases = casesAt(Date.now()).filter(isIncluded)
  const input = JSON.stringify(cases.map((each) => ({ ...each, rawBody: each.rawBody.toString('base64') })))
  // The folder from which packages are found.
  const cwd = join(import.meta.dirname, '../..')
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, input, encoding: 'utf8' })
  if (error) throw new Error(`${command} cannot be run`, { cause: error })
  if (status !== 0) throw new Error(`${command} failed: ${stderr}`)
  const taken: unknown[] = JSON.parse(stdout)
  return {
    expected: cases.map(({ title, genuine }) => verdict(title, genuine)),
    answered: cases.map(({ title }, n) => verdict(title, taken[n] === true)),
  }
}
