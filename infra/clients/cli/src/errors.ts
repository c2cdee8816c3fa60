import { reasonOf, Stop } from '../../../local/stop.ts'
import { SocialError } from '../../javascript/src/index.ts'

/** The exit code of the command. The guide "Command line" has the same table. */
export const exitCodes = {
  done: 0,
  /** The service refused, or could not be reached. */
  failed: 1,
  /** An argument, an option, or a file is wrong. */
  usage: 2,
  notSignedIn: 3,
  /** Some rows of a bulk failed, a post that was waited for, or a test event. */
  partial: 4,
  interrupted: 130,
} as const

/** The command was called incorrectly. The message is one line that explains the correction. */
export class Usage extends Error {
  override readonly name = 'Usage'
}

/** No token, or one that the service no longer accepts. */
export class NotSignedIn extends Error {
  override readonly name = 'NotSignedIn'
}

/** Part of the work failed. What failed was already shown. */
export class PartlyFailed extends Error {
  override readonly name = 'PartlyFailed'
}

/** A request that the service refused because of its token. */
const isTokenRefused = (error: unknown): error is SocialError => error instanceof SocialError && error.status === 401

export const exitCodeOf = (error: unknown, interrupted: boolean): number => {
  if (interrupted) return exitCodes.interrupted
  if (error instanceof Usage || error instanceof Stop) return exitCodes.usage
  if (error instanceof NotSignedIn || isTokenRefused(error)) return exitCodes.notSignedIn
  return error instanceof PartlyFailed ? exitCodes.partial : exitCodes.failed
}

/** What scopes a token lacks is in the message; a session has them all. */
const hints: Readonly<Record<string, string>> = {
  session_required: 'This needs a session: sign in with "social login".',
  insufficient_scope: 'Sign in with "social login", or use a token with that scope.',
  connection_failed: 'Check the address of the service with "social whoami".',
}

/** An error as `--json` prints it. */
export const errorDocument = (error: unknown) => {
  if (!(error instanceof SocialError)) {
    const code = error instanceof Usage || error instanceof Stop ? 'usage' : nameOf(error)
    return { code, message: reasonOf(error) }
  }
  const { code, message, field, status, requestId, docUrl, issues } = error
  return { code, message, field, status, requestId, docUrl, issues }
}

const nameOf = (error: unknown) => {
  if (error instanceof NotSignedIn) return 'not_signed_in'
  return error instanceof PartlyFailed ? 'partly_failed' : 'failed'
}

/** The lines for people: one for wrong input, and what support needs for an error of the service. */
export const errorLines = (error: unknown): string[] => {
  if (!(error instanceof SocialError)) return [reasonOf(error).replaceAll('\n', ' ')]
  const { code, requestId, docUrl, issues } = error
  const hint = error.status === 401 ? 'Sign in again: social login' : hints[code]
  const lines = issues.flatMap(({ field, message, next }) => {
    // The first line has the sentences of the first issue.
    const more = [message, next].filter((sentence) => sentence && !error.message.includes(sentence))
    return more.length === 0 ? [] : [`  ${field ? `${field}: ` : ''}${more.join(' ')}`]
  })
  const details = [`code ${code}`, requestId && `request ${requestId}`, docUrl].filter(Boolean)
  return [error.message, ...lines, ...(hint ? [hint] : []), `(${details.join(', ')})`]
}
