import type { Access } from '../../shared/access/access.ts'
import { limitNameOf } from '../../shared/access/rate-limit.ts'
import { catalog, type ErrorCode } from '../../shared/errors/catalog.ts'
import { type Reason, statusOf } from '../../shared/errors/reason.ts'
import type { Contract } from '../../shared/http/contract.ts'
import { isIdempotent } from '../../shared/http/remembered.ts'

/** Whether a route takes an Idempotency-Key. */
export const takesIdempotencyKey = (contract: Contract<Access>): boolean =>
  isIdempotent(contract) && contract.access.kind !== 'anyone'

const ofAccess = (access: Access, path: string): ErrorCode[] => {
  if (access.kind === 'anyone') return []
  const token: ErrorCode[] = ['unauthenticated', access.scope === null ? 'session_required' : 'insufficient_scope']
  if (access.kind === 'person') return token
  return [
    ...token,
    'workspace_required',
    'not_a_member',
    'membership_suspended',
    ...(access.role === 'member' ? [] : (['insufficient_role'] as const)),
    ...(path.startsWith('/api/workspaces/{id}') ? (['workspace_mismatch'] as const) : []),
    ...(access.plan ? (['subscription_required'] as const) : []),
  ]
}

const ofBody = ({ method, body, bodyOptional }: Contract<Access>): ErrorCode[] => [
  ...(method === 'GET' ? [] : (['body_too_large'] as const)),
  ...(body === undefined || bodyOptional ? [] : (['body_required'] as const)),
  ...(body === undefined
    ? []
    : (['invalid_json', 'unsupported_content_type', 'unsupported_charset', 'unsupported_encoding'] as const)),
]

const ofRepetition = (contract: Contract<Access>): ErrorCode[] => {
  if (!takesIdempotencyKey(contract)) return []
  return ['idempotency_key_reused', ...(contract.secret ? (['secret_already_returned'] as const) : [])]
}

/**
 * Any route that reads or writes the table returns 503 if the table is busy or unreachable, and 409 for a row that it cannot
 * read.
 */
const ofTrouble = ({ access, needs, ...contract }: Contract<Access>): ErrorCode[] => [
  ...(access.kind === 'anyone' && limitNameOf(contract) === 'none' ? [] : (['unavailable'] as const)),
  ...(access.kind !== 'anyone' && needs.includes('table:read') ? (['newer_release'] as const) : []),
  ...(needs.includes('table:write') ? (['outcome_unknown'] as const) : []),
]

/** Every code that a route may return: those that it declares, and those that follow from the rest of its contract. */
export const errorsOf = (contract: Contract<Access>): ErrorCode[] => {
  const codes: ErrorCode[] = [
    'invalid_input',
    ...ofAccess(contract.access, contract.path),
    ...ofBody(contract),
    ...ofRepetition(contract),
    ...contract.errors,
    'rate_limited',
    ...ofTrouble(contract),
    'internal_error',
  ]
  return [...new Set(codes)]
}

/** The codes of a route by HTTP status, in the order of the statuses. */
export const errorsByStatus = (contract: Contract<Access>): [reason: Reason, codes: ErrorCode[]][] =>
  [...Map.groupBy(errorsOf(contract), (code) => catalog[code].reason)].sort(([a], [b]) => statusOf[a] - statusOf[b])
