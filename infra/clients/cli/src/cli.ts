import type { Output } from './output.ts'

/** The options of every command. */
export interface Globals {
  profile?: string
  workspace?: string
  json: boolean
  jq?: string
  color: boolean
}

/** What every command gets. */
export interface Cli {
  env: Readonly<Record<string, string | undefined>>
  globals(): Globals
  out: Output
  /** Aborted by Ctrl-C and SIGTERM. */
  stopped: AbortSignal
}

/** Whether a person uses the terminal and can answer. */
export const isInteractive = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true
