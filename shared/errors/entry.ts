import type { Reason } from './reason.ts'

/** One code of the catalog. */
export interface ErrorEntry {
  reason: Reason
  /** The sentence of a response, with examples of ids and numbers. */
  message: string
  /** What the code means, in one sentence. */
  meaning: string
  /** How to fix it, in one sentence. */
  fix: string
}

export type ErrorEntries = Readonly<Record<string, ErrorEntry>>
