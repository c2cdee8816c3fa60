import type { Answer } from '../../pages/server.ts'
import { type Refusals, Refused } from '../standin.ts'

const failure = (status: number, code: number, message: string): Answer => ({ status, body: { code, message } })

/** Ends the call with Pinterest's error body; its code is not the status. */
export function refuse(status: number, code: number, message: string): never {
  throw new Refused(failure(status, code, message))
}

/** Pinterest's error responses for failures that can occur on any call. */
export const pinterestRefusals: Refusals = {
  status: (status) => failure(status, status === 429 ? 8 : 0, 'The stand-in is configured to return this'),
  rateLimited: (retryAfterSeconds) => ({
    status: 429,
    headers: {
      'x-ratelimit-limit': '100',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': String(Math.ceil(retryAfterSeconds)),
    },
    body: { code: 8, message: 'You have exceeded your rate limit. Try again later.' },
  }),
  tokenRevoked: () => failure(401, 2, 'Authentication failed.'),
  blocked: () => failure(403, 403, 'Sorry! We blocked this link because it may lead to spam.'),
  tooLarge: () => failure(413, 1, 'Request entity too large'),
  unknownRoute: () => failure(404, 0, 'Not Found'),
}
