import type { Answer } from '../pages/server.ts'
import { type Refusals, Refused } from '../platforms/standin.ts'

const answer = (status: number, error: Readonly<Record<string, unknown>>, headers = {}): Answer => ({
  status,
  headers,
  body: { error },
})

const invalid = (status: number, message: string, more: object = {}) =>
  answer(status, { type: 'invalid_request_error', message, ...more })

/** A request that Stripe rejects (docs.stripe.com/api/errors). */
export const reject = (message: string, more: object = {}): Refused => new Refused(invalid(400, message, more))

export const missing = (what: string, id: string, param = 'id'): Refused =>
  new Refused(invalid(404, `No such ${what}: '${id}'`, { code: 'resource_missing', param }))

export const declined = (): Refused =>
  new Refused(
    answer(402, {
      type: 'card_error',
      code: 'card_declined',
      decline_code: 'generic_decline',
      message: 'Your card was declined.',
    }),
  )

export const otherParameters = (): Refused =>
  new Refused(
    answer(400, {
      type: 'idempotency_error',
      message: 'Keys for idempotent requests can only be used with the same parameters they were first used with.',
    }),
  )

export const wrongKey = (): Refused => new Refused(invalid(401, 'Invalid API Key provided'))

export const stripeRefusals: Refusals = {
  status: (status) => answer(status, { type: 'api_error', message: 'Something went wrong.' }),
  rateLimited: (seconds) =>
    answer(
      429,
      { type: 'invalid_request_error', code: 'rate_limit', message: 'Too many requests.' },
      { 'retry-after': String(Math.ceil(seconds)) },
    ),
  tokenRevoked: () => wrongKey().answer,
  blocked: () => invalid(403, 'The key does not have the permission.'),
  tooLarge: () => invalid(413, 'Request too large.'),
  unknownRoute: () => invalid(404, 'Unrecognized request URL.'),
}
