/** Why the service cannot continue, in one line for the person who started it. */
export class Stop extends Error {
  override name = 'Stop'
}

/** The message of anything thrown. */
export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** The code of an error of the system, such as ENOENT; undefined for any other. */
export const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined)
