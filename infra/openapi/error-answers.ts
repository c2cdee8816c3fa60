import type { Access } from '../../shared/access/access.ts'
import { catalog, type ErrorCode } from '../../shared/errors/catalog.ts'
import { type Reason, statusOf } from '../../shared/errors/reason.ts'
import type { Contract } from '../../shared/http/contract.ts'
import { errorsByStatus } from './errors-of.ts'

const meanings: Readonly<Record<Reason, string>> = {
  invalid: 'Invalid request',
  unauthenticated: 'Missing or invalid bearer token',
  unpaid: 'The workspace is not on a paid plan',
  forbidden: 'Not allowed',
  missing: 'Not found, or not visible to the caller',
  unsupported: 'The path does not have this method',
  conflict: 'Conflict with the current state',
  stale: 'The resource has changed since it was read',
  'too-large': 'The body is too large',
  mismatched: 'The Idempotency-Key belongs to another request',
  limited: 'A rate limit or cap is reached',
  internal: 'Unexpected server error',
  unavailable: 'The service, or something that it depends on, does not answer',
  'timed-out': 'The service did not answer in time',
}

/** Headers of the answers of one reason, beside those of every answer. */
const headersOf: Partial<Record<Reason, string>> = {
  limited: 'Retry-After',
  unavailable: 'Retry-After',
  stale: 'ETag',
  unauthenticated: 'WWW-Authenticate',
}

const limitHeaders = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset']

/** Members of a body beside its sentence and code. */
const members: Partial<Record<ErrorCode, object>> = {
  invalid_input: {
    field: 'scheduledAt',
    issues: [{ field: 'scheduledAt', code: 'invalid', message: catalog.invalid_input.message }],
  },
  subscription_required: {
    httpStatus: 402,
    billingUrl: 'https://api.example.com/billing?workspace=bakery',
    subscriptionStatus: 'none',
    workspaceSlug: 'bakery',
  },
  quota_exceeded: { quota: 'drafts', limit: 10_000, used: 10_000 },
  quota_rate_exceeded: { quota: 'invitations', limit: 100 },
}

/** An example of each code, with the sentence that the service says. */
export const errorExamples = Object.fromEntries(
  Object.entries(catalog).map(([code, { message, meaning, fix }]) => [
    code,
    {
      summary: meaning,
      description: fix,
      value: { success: false, error: message, code, ...members[code as ErrorCode] },
    },
  ]),
)

const schemaOf = (reason: Reason, codes: readonly ErrorCode[]) =>
  reason === 'unpaid'
    ? { $ref: '#/components/schemas/SubscriptionRequired' }
    : {
        allOf: [
          { $ref: '#/components/schemas/Error' },
          { type: 'object', required: ['code'], properties: { code: { type: 'string', enum: codes } } },
        ],
      }

const answerOf = (reason: Reason, codes: readonly ErrorCode[]) => ({
  description: `${meanings[reason]}: ${codes.map((code) => `\`${code}\``).join(', ')}.`,
  headers: Object.fromEntries(
    ['X-Request-Id', ...limitHeaders, headersOf[reason] ?? []]
      .flat()
      .map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  ),
  content: {
    'application/json': {
      schema: schemaOf(reason, codes),
      examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
    },
  },
})

/** The error answers of an operation by status; one with a single code is a component with the name of the code. */
export const errorAnswersOf = (contract: Contract<Access>) =>
  Object.fromEntries(
    errorsByStatus(contract).map(([reason, codes]) => [
      statusOf[reason],
      codes.length === 1 ? { $ref: `#/components/responses/${codes[0]}` } : answerOf(reason, codes),
    ]),
  )

/** The answers with a single code that operations refer to. */
export const sharedAnswersOf = (contracts: readonly Contract<Access>[]) => {
  const single = contracts.flatMap(errorsByStatus).flatMap(([, codes]) => (codes.length === 1 ? codes : []))
  return Object.fromEntries([...new Set(single)].map((code) => [code, answerOf(catalog[code].reason, [code])]))
}
