import type { Answer } from '../../pages/server.ts'
import { type Refusals, Refused } from '../standin.ts'

/** The nested `errors` of an invalid form body: `_errors` at the invalid position. */
export interface ErrorTree {
  [key: string]: ErrorTree | { code: string; message: string }[]
}

/** Ends the call with Discord's error body. */
export function refuse(status: number, code: number, message: string, errors?: ErrorTree): never {
  throw new Refused({ status, body: errors === undefined ? { message, code } : { message, code, errors } })
}

/** Discord's error responses for failures that can occur on any call. */
export function discordRefusals(nowSeconds: () => number): Refusals {
  return {
    status: (status) => failure(status, 0, `${status}: The stand-in is configured to return this`),
    rateLimited: (retryAfterSeconds) => ({
      status: 429,
      headers: {
        'retry-after': String(Math.ceil(retryAfterSeconds)),
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': (nowSeconds() + retryAfterSeconds).toFixed(3),
        'x-ratelimit-reset-after': retryAfterSeconds.toFixed(3),
        'x-ratelimit-scope': 'user',
      },
      body: { message: 'You are being rate limited.', retry_after: retryAfterSeconds, global: false },
    }),
    tokenRevoked: () => failure(401, 0, '401: Unauthorized'),
    blocked: () => failure(400, 200_000, 'Message was blocked by automatic moderation'),
    tooLarge: () => failure(413, 40005, 'Request entity too large'),
    unknownRoute: () => failure(404, 0, '404: Not Found'),
  }
}

function failure(status: number, code: number, message: string): Answer {
  return { status, body: { message, code } }
}
