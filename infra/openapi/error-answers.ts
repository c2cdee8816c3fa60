import type { Access } from '../../shared/access/access.ts'
import { catalog, type ErrorCode } from '../../shared/errors/catalog.ts'
import { type Reason, statusOf } from '../../shared/errors/reason.ts'
import type { Contract } from '../../shared/http/contract.ts'
import { errorsByStatus } from './errors-of.ts'

const meanings: Readonly<Record<Reason, string>> = {
  invalid: 'The request is invalid.',
  unauthenticated: 'The bearer token is missing or invalid.',
  unpaid: 'The workspace has no plan that covers the request.',
  forbidden: 'The caller is not allowed to do this.',
  missing: 'The object does not exist, or the caller cannot see it.',
  unsupported: 'The path does not have this method.',
  conflict: 'The request conflicts with the current state.',
  stale: 'The object has changed since it was read.',
  'too-large': 'The body is too large.',
  mismatched: 'The request is understood, and cannot be carried out as it stands.',
  limited: 'A rate limit or a cap is reached. Wait for the seconds in the header `Retry-After`.',
  internal: 'An unexpected error happened in the service.',
  unavailable: 'The service, or a service it depends on, does not respond. Retry with the same Idempotency-Key.',
  'timed-out': 'The service did not respond in time.',
}

/** Headers of the responses of one reason, in addition to those of every response. */
const headersOf: Partial<Record<Reason, string>> = {
  limited: 'Retry-After',
  unavailable: 'Retry-After',
  stale: 'ETag',
  unauthenticated: 'WWW-Authenticate',
}

const limitHeaders = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset']

/** Members of a body other than its sentence and code. */
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
  plan_limit_reached: {
    httpStatus: 402,
    billingUrl: 'https://api.example.com/billing?workspace=bakery',
    subscriptionStatus: 'active',
    workspaceSlug: 'bakery',
    quota: 'seats',
    limit: 2,
    used: 2,
    planName: 'Starter',
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
      value: {
        success: false,
        error: message,
        code,
        ...members[code as ErrorCode],
        requestId: 'JZ3a2E5jIAMFYXA=',
        docUrl: `https://api.example.com/api/docs/errors/${code}`,
      },
    },
  ]),
)

const codeOfError = {
  type: 'string',
  description: 'What went wrong; the description of the response explains each code.',
}

/** The description of a response with one status: its subject, then each of its codes. */
const descriptionOf = (reason: Reason, codes: readonly ErrorCode[]): string =>
  [meanings[reason], '', ...codes.map((code) => `- \`${code}\`: ${catalog[code].meaning} ${catalog[code].fix}`)].join(
    '\n',
  )

const schemaOf = (reason: Reason, codes: readonly ErrorCode[]) =>
  reason === 'unpaid' && codes.length === 1 && codes[0] === 'subscription_required'
    ? { $ref: '#/components/schemas/SubscriptionRequired' }
    : {
        allOf: [
          { $ref: '#/components/schemas/Error' },
          { type: 'object', required: ['code'], properties: { code: { ...codeOfError, enum: codes } } },
        ],
      }

const answerOf = (reason: Reason, codes: readonly ErrorCode[]) => ({
  description: descriptionOf(reason, codes),
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

/** The error responses of an operation by status; a response with a single code is a component with the name of the code. */
export const errorAnswersOf = (contract: Contract<Access>) =>
  Object.fromEntries(
    errorsByStatus(contract).map(([reason, codes]) => [
      statusOf[reason],
      codes.length === 1 ? { $ref: `#/components/responses/${codes[0]}` } : answerOf(reason, codes),
    ]),
  )

/** The responses with a single code that operations refer to. */
export const sharedAnswersOf = (contracts: readonly Contract<Access>[]) => {
  const single = contracts.flatMap(errorsByStatus).flatMap(([, codes]) => (codes.length === 1 ? codes : []))
  return Object.fromEntries([...new Set(single)].map((code) => [code, answerOf(catalog[code].reason, [code])]))
}
