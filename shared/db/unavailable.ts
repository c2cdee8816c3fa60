/** The table was throttled or unreachable for all retries; `mayHaveHappened` if a write may have been carried out. */
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
