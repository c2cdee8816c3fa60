import { Refusal } from '../errors/refusal.ts'

/** The refusal of a call above the rate limit, as specified. */
export const rateLimitExceeded = (retryAfterSeconds: number): Refusal =>
  new Refusal('limited', 'Rate limit exceeded', { code: 'rate_limited', retryAfterSeconds })

/** The refusal if a call must be counted and cannot be. */
export const rateLimitUnavailable = (): Refusal =>
  new Refusal('unavailable', 'Rate limiting is temporarily unavailable. Nothing was changed. Retry in a few seconds.', {
    code: 'unavailable',
    retryAfterSeconds: 5,
  })

/** The log line for a call that could not be counted; an alarm watches for it (infra/stacks/endpoints.ts). */
export const notCountedLine = 'calls are not counted'
