import type { Answer } from '../../pages/server.ts'
import { type Refusals, Refused } from '../standin.ts'

/** Slack says no with a 200. */
const no = (error: string): Answer => ({ status: 200, body: { ok: false, error } })

/** Ends the call with one of Slack's error names. */
export function refuse(error: string): never {
  throw new Refused(no(error))
}

/** Slack's error responses for failures that can occur on any call. */
export const slackRefusals: Refusals = {
  status: (status) => ({ status, body: { ok: false, error: status === 429 ? 'ratelimited' : 'told_to_answer_this' } }),
  rateLimited: (retryAfterSeconds) => ({
    status: 429,
    headers: { 'retry-after': String(Math.ceil(retryAfterSeconds)) },
    body: { ok: false, error: 'ratelimited' },
  }),
  tokenRevoked: () => no('token_revoked'),
  blocked: () => no('restricted_action'),
  tooLarge: () => ({ status: 413, body: 'Request entity too large' }),
  unknownRoute: () => no('unknown_method'),
}
