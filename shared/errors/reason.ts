/** The kinds of errors, each with its HTTP status (the specification, Errors; RFC 9110, 15.5 and 15.6). */
export const statusOf = {
  invalid: 400,
  unauthenticated: 401,
  unpaid: 402,
  forbidden: 403,
  missing: 404,
  unsupported: 405,
  conflict: 409,
  stale: 412,
  'too-large': 413,
  mismatched: 422,
  limited: 429,
  internal: 500,
  unavailable: 503,
  'timed-out': 504,
} as const

export type Reason = keyof typeof statusOf

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
