import { spawnSync } from 'node:child_process'
import { PartlyFailed, Usage } from './errors.ts'

/** Runs jq, which prints on stdout, and returns its stderr as one line; undefined if it succeeds. */
const runJq = (filter: string, input: string): string | undefined => {
  // A filter may begin with "-"; after a space, it is not an option.
  const args = ['--raw-output', ` ${filter}`]
  const ended = spawnSync('jq', args, { input, stdio: ['pipe', 'inherit', 'pipe'], encoding: 'utf8' })
  const error: NodeJS.ErrnoException | undefined = ended.error
  if (error?.code === 'ENOENT') {
    throw new Usage('--jq needs jq. Install it (https://jqlang.org/download), or use --json.')
  }
  // jq may end before it has read everything.
  if (error && error.code !== 'EPIPE') throw error
  return ended.status === 0 ? undefined : ended.stderr.trim().replaceAll(/\s*\n\s*/g, ' ')
}

/** Rejects a filter that does not compile, before a command sends anything: without input, jq does not run it. */
export const checkFilter = (filter: string): void => {
  const reason = runJq(filter, '')
  if (reason !== undefined) throw new Usage(`The filter of --jq is wrong. ${reason}`)
}

/** Prints the result of a filter on a JSON document, and texts without quotes. */
export const printFiltered = (filter: string, document: string): void => {
  const reason = runJq(filter, document)
  if (reason !== undefined) throw new PartlyFailed(`The command is done, but the filter of --jq failed. ${reason}`)
}
