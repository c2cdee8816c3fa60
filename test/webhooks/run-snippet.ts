import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { type Case, casesAt } from './cases.ts'

/** What a verifier answered to each request, beside what it had to. */
interface Judged {
  expected: readonly string[]
  answered: readonly string[]
}

const inWords = (what: string, taken: boolean) => `${what}: ${taken ? 'taken' : 'refused'}`

/** Runs a program that reads the requests as JSON from its input and writes whether it takes each of them. */
export const runSnippet = (
  command: string,
  args: readonly string[],
  wanted: (one: Case) => boolean = () => true,
): Judged => {
  const cases = casesAt(Date.now()).filter(wanted)
  const input = JSON.stringify(cases.map((one) => ({ ...one, rawBody: one.rawBody.toString('base64') })))
  // The folder from which packages are found.
  const cwd = join(import.meta.dirname, '../..')
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, input, encoding: 'utf8' })
  if (error) throw new Error(`${command} cannot be run`, { cause: error })
  if (status !== 0) throw new Error(`${command} failed: ${stderr}`)
  const taken: unknown[] = JSON.parse(stdout)
  return {
    expected: cases.map(({ what, genuine }) => inWords(what, genuine)),
    answered: cases.map(({ what }, n) => inWords(what, taken[n] === true)),
  }
}
