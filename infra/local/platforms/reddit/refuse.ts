import type { Answer } from '../../pages/server.ts'
import { type Refusals, Refused } from '../standin.ts'

/** Ends the call with a status and Reddit's plain error body. */
export function refuse(error: number, message: string, reason?: string): never {
  throw new Refused({ status: error, body: reason === undefined ? { message, error } : { reason, message, error } })
}

/** Ends a submission as the older checks do: with a 200. */
export function refusePost(code: string, message: string, field: string, more: object = {}): never {
  throw new Refused({ status: 200, body: { json: { ...more, errors: [[code, message, field]] } } })
}

/** Ends a submission as the checks of the subreddit's own rules do. */
export function refuseByRules(reason: string, explanation: string, field: string): never {
  const body = { fields: [field], explanation, message: 'Bad Request', reason, error_type: 'SUBMIT_VALIDATION_ERROR' }
  throw new Refused({ status: 400, body })
}

const plain = (error: number, message: string): Answer => ({ status: error, body: { message, error } })

/** Reddit's error responses for failures that can occur on any call. */
export const redditRefusals: Refusals = {
  status: (status) => plain(status, 'The stand-in is configured to return this'),
  rateLimited: (retryAfterSeconds) => ({
    status: 429,
    headers: {
      'x-ratelimit-used': '1000',
      'x-ratelimit-remaining': '0.0',
      'x-ratelimit-reset': String(Math.ceil(retryAfterSeconds)),
    },
    body: { message: 'Too Many Requests', error: 429 },
  }),
  tokenRevoked: () => plain(401, 'Unauthorized'),
  blocked: () => ({
    status: 200,
    body: { json: { errors: [['IN_TIMEOUT', "You can't do that while suspended.", null]] } },
  }),
  tooLarge: () => plain(413, 'Request Entity Too Large'),
  unknownRoute: () => plain(404, 'Not Found'),
}
