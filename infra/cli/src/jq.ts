import { type SpawnSyncReturns, spawnSync } from 'node:child_process'
import { PartlyFailed, Usage } from './errors.ts'

const codeOf = (error: Error | undefined) => (error !== undefined && 'code' in error ? error.code : undefined)

/** What jq says on stderr, in one line. */
const reasonOf = ({ stderr }: SpawnSyncReturns<string>): string => stderr.trim().replaceAll(/\s*\n\s*/g, ' ')

/** Runs jq. A filter may begin with "-"; behind a space, it is no option. */
const runJq = (filter: string, input: string): SpawnSyncReturns<string> =>
  spawnSync('jq', ['--raw-output', ` ${filter}`], { input, stdio: ['pipe', 'inherit', 'pipe'], encoding: 'utf8' })

/** Rejects a filter that does not compile, before a command sends anything: without input, jq does not run it. */
export const checkFilter = (filter: string): void => {
  const ended = runJq(filter, '')
  if (codeOf(ended.error) === 'ENOENT') {
    throw new Usage('--jq needs jq. Install it (https://jqlang.org/download), or use --json.')
  }
  if (ended.error) throw ended.error
  if (ended.status !== 0) throw new Usage(`The filter of --jq is wrong. ${reasonOf(ended)}`)
}

/** Prints what a filter makes of a JSON document, and texts without quotes. */
export const printFiltered = (filter: string, document: string): void => {
  const ended = runJq(filter, document)
  // jq may end before it has read everything.
  if (ended.error && codeOf(ended.error) !== 'EPIPE') throw ended.error
  if (ended.status !== 0)
    throw new PartlyFailed(`The command is done, but the filter of --jq failed. ${reasonOf(ended)}`)
}
