import type { Answer } from '../../pages/server.ts'
import { type Refusals, Refused } from '../standin.ts'

const failure = (status: number, error: string): Answer => ({ status, body: { error } })

/** Ends the call with a sentence, as Mastodon does. */
export function refuse(status: number, error: string): never {
  throw new Refused(failure(status, error))
}

/** Mastodon's error responses for failures that can occur on any call. */
export function mastodonRefusals(nowMs: () => number): Refusals {
  return {
    status: (status) => failure(status, 'The stand-in is configured to return this'),
    rateLimited: (retryAfterSeconds) => ({
      ...failure(429, 'Too many requests'),
      headers: {
        'x-ratelimit-limit': '300',
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': new Date(nowMs() + retryAfterSeconds * 1000).toISOString(),
      },
    }),
    tokenRevoked: () => failure(401, 'The access token was revoked'),
    blocked: () => failure(403, 'This action is not allowed'),
    tooLarge: () => ({ status: 413, body: '<html>Request Entity Too Large</html>' }),
    unknownRoute: () => failure(404, 'Record not found'),
  }
}
