/** Why the service cannot continue, in one line for the person who started it. */
export class Stop extends Error {
  override name = 'Stop'
}

/** The message of anything thrown. */
export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
