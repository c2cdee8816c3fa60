import { failureOf } from '../aws/failure.ts'
import { Unavailable } from '../db/unavailable.ts'
import { Refusal } from '../errors/refusal.ts'
import { isIdempotent } from './remembered.ts'
import { header, type RequestContext } from './request-context.ts'

const busySeconds = 1
const outOfReachSeconds = 5

/** The path of the resource that a request is about: up to the last parameter, or the whole path without parameters. */
const subjectOf = ({ contract, event }: RequestContext): string => {
  const pattern = contract.path.split('/')
  const last = pattern.findLastIndex((segment) => segment.startsWith('{'))
  return last < 0
    ? event.path
    : event.path
        .split('/')
        .slice(0, last + 1)
        .join('/')
}

/** How a caller can find out whether their request was carried out. */
const howToCheck = (request: RequestContext): string => {
  const { contract, event } = request
  if (!contract.path.startsWith('/api/')) return 'Reload the page, and check before you repeat it.'
  const keyed = isIdempotent(contract) && header(event, 'Idempotency-Key') !== undefined
  if (keyed) return 'Repeat it with the same Idempotency-Key. It is carried out only once.'
  return `Read "GET ${subjectOf(request)}" before you repeat it.`
}

/**
 * The refusal of a request that the service could not finish: 503 `unavailable` if nothing was changed,
 * `outcome_unknown` if it was changed or may have been.
 */
export const unfinished = (request: RequestContext, mayHaveWritten: boolean, retryAfterSeconds: number): Refusal =>
  mayHaveWritten
    ? new Refusal(
        'unavailable',
        `The service could not finish in time, and this request may have been carried out. ${howToCheck(request)}`,
        { code: 'outcome_unknown', retryAfterSeconds },
      )
    : new Refusal('unavailable', 'The service is too busy. Nothing was changed. Retry in a few seconds.', {
        code: 'unavailable',
        retryAfterSeconds,
      })

/** The refusal for a temporary error; undefined for every other error. */
export const unfinishedBy = (request: RequestContext, error: unknown, mayHaveWritten: boolean): Refusal | undefined => {
  const failure = failureOf(error instanceof Unavailable ? error.cause : error)
  if (failure === undefined && !(error instanceof Unavailable)) return undefined
  return unfinished(request, mayHaveWritten, failure === 'unknown' ? outOfReachSeconds : busySeconds)
}

/** The refusal of a request that reached its deadline. */
export const unfinishedInTime = (request: RequestContext, mayHaveWritten: boolean): Refusal =>
  unfinished(request, mayHaveWritten, outOfReachSeconds)
