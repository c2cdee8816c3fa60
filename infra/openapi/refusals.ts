import { type Reason, statusOf } from '../../shared/errors/reason.ts'
import type { Contract } from '../../shared/http/contract.ts'
import { limitNameOf } from '../../shared/http/rate-limit.ts'
import { isRemembered } from '../../shared/http/remembered.ts'

/** What each refusal means and one example of it (spec, section Errors). */
const meanings: Readonly<
  Record<Exclude<Reason, 'internal' | 'timed-out'>, { description: string; error: string; code?: string }>
> = {
  invalid: { description: 'Bad input, or a business rule failed', error: '"content" is required: send text.' },
  unauthenticated: { description: 'Missing or invalid bearer token', error: 'The token is not valid.' },
  unpaid: { description: 'The workspace is not on a paid plan', error: 'This workspace has no active subscription.' },
  forbidden: {
    description: 'Not allowed: role, scope, suspended member or wrong workspace',
    error: 'You are not a member of this workspace.',
    code: 'wrong_workspace',
  },
  missing: { description: 'Not found, or not visible to the caller', error: 'There is no such post.' },
  unsupported: { description: 'The path has no such method', error: 'This path has no such method.' },
  conflict: { description: 'In conflict with the present state', error: 'The post is being published right now.' },
  stale: {
    description: 'The resource has changed since it was read; nothing was done',
    error: 'The draft has changed since you read it: read it again and send its new ETag.',
    code: 'draft_changed',
  },
  'too-large': { description: 'The body is too large', error: 'The body is too large: send at most 1 MiB.' },
  mismatched: {
    description: 'The Idempotency-Key was used with another request',
    error: 'This Idempotency-Key was used with another request: use a new key.',
    code: 'idempotency_key_reused',
  },
  limited: { description: 'Rate limited, or a cap is reached', error: 'Rate limit exceeded', code: 'rate_limited' },
  unavailable: {
    description:
      'The service is too busy, or something it depends on does not answer. `unavailable`: nothing was changed. `outcome_unknown`: the request may have been carried out, and the text says how to check',
    error: 'The service is too busy right now. Nothing was changed: try again soon.',
    code: 'unavailable',
  },
}

/** What a refusal tells in a header: when it passes, or what the resource is now. */
const tellingHeaders: Readonly<Record<string, readonly string[]>> = {
  limited: ['Retry-After'],
  unavailable: ['Retry-After'],
  stale: ['ETag'],
  unauthenticated: ['WWW-Authenticate'],
} satisfies Partial<Record<Reason, readonly string[]>>

/** They stand on every answer of a counted route, a refusal too. */
const countHeaders = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset']

const answer = (schema: string, description: string, example: unknown, ...headers: readonly string[]) => ({
  description,
  headers: Object.fromEntries(
    ['X-Request-Id', ...countHeaders, ...headers].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  ),
  content: { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` }, example } },
})

const internal = answer('Error', 'Unexpected server error', {
  success: false,
  error: 'Unexpected server error: try again, and name the request id if it stays.',
  code: 'internal_error',
})

const unpaidFacts = { httpStatus: 402, billingUrl: 'https://example.com/billing', subscriptionStatus: 'none' }

/** The answers of refusal, by word. */
export const refusalAnswers = {
  ...Object.fromEntries(
    Object.entries(meanings).map(([reason, { description, error, code }]) => {
      const example = { success: false, error, ...(code === undefined ? {} : { code }) }
      return reason === 'unpaid'
        ? [
            reason,
            answer('SubscriptionRequired', description, { ...example, code: 'subscription_required', ...unpaidFacts }),
          ]
        : [reason, answer('Error', description, example, ...(tellingHeaders[reason] ?? []))]
    }),
  ),
  internal,
}

/** Whether a route takes an Idempotency-Key. */
export const remembers = (contract: Contract): boolean => isRemembered(contract) && contract.access.kind !== 'anyone'

/** All words with which a route may refuse: its own and those that follow from what it is. */
export const reasonsOf = (contract: Contract): Reason[] => {
  const { access, params, query, body } = contract
  const given: Reason[] = []
  if (params || query || body || access.kind === 'workspace') given.push('invalid')
  if (access.kind !== 'anyone') given.push('unauthenticated', 'forbidden')
  if (access.kind === 'workspace' && access.plan) given.push('unpaid')
  if (body) given.push('too-large')
  if (remembers(contract)) given.push('conflict', 'mismatched')
  // Whatever reads or writes the table is told when it is busy or out of reach.
  if (access.kind !== 'anyone' || limitNameOf(contract) !== 'none') given.push('unavailable')
  return [...new Set<Reason>([...given, ...contract.refuses, 'limited'])].sort((a, b) => statusOf[a] - statusOf[b])
}
