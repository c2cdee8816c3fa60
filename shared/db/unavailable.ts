/** The table is too busy or out of reach, and stayed so over all retries; `mayHaveHappened` where a write may be in it. */
export class Unavailable extends Error {
  override name = 'Unavailable'
  readonly mayHaveHappened: boolean
  constructor(cause: unknown, mayHaveHappened: boolean) {
    super(`the table is not available: ${cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause)}`, {
      cause,
    })
    this.mayHaveHappened = mayHaveHappened
  }
}
