import type { ErrorCode } from './api.ts'
import type { RateLimit } from './rate-limit.ts'

/** The codes of the client itself; every other code comes from the service. */
export type ClientErrorCode =
  /** The request or its response was lost. A change may have been made. */
  | 'connection_failed'
  /** No response within `timeoutMs`. A change may have been made. */
  | 'request_timeout'
  /** A response that does not come from the service: a proxy responded, or the body is damaged. */
  | 'unexpected_response'
  /** The post failed or was canceled, so waiting for it is over. */
  | 'post_not_published'
  /** The post is not published within `timeoutMs`. It may be later. */
  | 'wait_timeout'
  /** The storage rejected the bytes of a file. */
  | 'upload_failed'

/** What is wrong with one field of a request, or a finding about one account's post. */
export interface ErrorIssue {
  code: string
  message: string
  field?: string
  socialAccountId?: string | null
  platform?: string
  next?: string
}

export interface ErrorDetails {
  status: number
  requestId: string | null
  docUrl: string | null
  field: string | null
  issues: readonly ErrorIssue[]
  /** The seconds of `Retry-After`, in milliseconds. */
  retryAfterMs: number | null
  rateLimit: RateLimit | null
  /** How often the request was sent. */
  attempts: number
  /** The parsed body of the response: `billingUrl`, `limit`, and other members of single codes. */
  body: Readonly<Record<string, unknown>>
  cause?: unknown
}

/** Every failure of a call. Branch on `code`, and show `message` to people. */
export class SocialError extends Error {
  override readonly name: string = 'SocialError'
  readonly code: ErrorCode | ClientErrorCode
  /** The HTTP status; 0 without a response. */
  readonly status: number
  /** The ID of the request in the logs of the service. */
  readonly requestId: string | null
  /** The page that explains the code. */
  readonly docUrl: string | null
  /** The field, parameter, or header at fault. */
  readonly field: string | null
  /** Every invalid field, or every issue of a post. */
  readonly issues: readonly ErrorIssue[]
  readonly retryAfterMs: number | null
  readonly rateLimit: RateLimit | null
  /** How often the request was sent. */
  readonly attempts: number
  /** The parsed body of the response: `billingUrl`, `limit`, and other members of single codes. */
  readonly body: Readonly<Record<string, unknown>>

  constructor(code: ErrorCode | ClientErrorCode, message: string, details: Partial<ErrorDetails> = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.code = code
    this.status = details.status ?? 0
    this.requestId = details.requestId ?? null
    this.docUrl = details.docUrl ?? null
    this.field = details.field ?? null
    this.issues = details.issues ?? []
    this.retryAfterMs = details.retryAfterMs ?? null
    this.rateLimit = details.rateLimit ?? null
    this.attempts = details.attempts ?? 1
    this.body = details.body ?? {}
  }
}

/** Whether an error is one of a call, with one of these codes: `isCode(error, 'x_cap_exceeded')`. */
export const isCode = <Code extends ErrorCode | ClientErrorCode>(
  error: unknown,
  ...codes: readonly Code[]
): error is SocialError & { readonly code: Code } =>
  error instanceof SocialError && (codes as readonly string[]).includes(error.code)
