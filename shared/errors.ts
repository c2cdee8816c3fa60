/** Why a request is refused, in one word; HTTP gives each word its status (spec, section Errors). */
export const statusOf = {
  invalid: 400,
  unauthenticated: 401,
  unpaid: 402,
  forbidden: 403,
  missing: 404,
  unsupported: 405,
  conflict: 409,
  stale: 412,
  'too-large': 413,
  mismatched: 422,
  limited: 429,
  unavailable: 503,
} as const

export type Reason = keyof typeof statusOf

/** The code of a refusal that has none of its own. */
export const commonCodes: Readonly<Record<Reason, string>> = {
  invalid: 'invalid_input',
  unauthenticated: 'unauthenticated',
  unpaid: 'subscription_required',
  forbidden: 'forbidden',
  missing: 'not_found',
  unsupported: 'method_not_allowed',
  conflict: 'conflict',
  stale: 'changed',
  'too-large': 'too_large',
  mismatched: 'idempotency_key_reused',
  limited: 'rate_limited',
  unavailable: 'unavailable',
}

/** What a refusal may tell beside its sentence; all of it but `audit` reaches the caller. */
export interface RefusalDetails {
  code?: string
  message?: string
  field?: string
  issues?: readonly unknown[]
  retryAfterSeconds?: number
  /** The tag of the resource as it is now; sent as the header ETag. */
  etag?: string
  /** For the security log alone; never sent to the caller. */
  audit?: Readonly<Record<string, string | undefined>>
  /** Further members of the body where the specification fixes them (the 402 body). */
  extra?: Readonly<Record<string, unknown>>
}

/** Thrown by a room when the caller must hear no; the text is a sentence the caller can act on. */
export class Refusal extends Error {
  override name = 'Refusal'
  readonly reason: Reason
  readonly details: RefusalDetails

  constructor(reason: Reason, text: string, details: RefusalDetails = {}) {
    super(text)
    this.reason = reason
    this.details = details
  }
}
