import type { CodeOf, ErrorCode } from './catalog.ts'
import type { FieldIssue, Issue } from './issue.ts'
import type { Reason } from './reason.ts'

/** The details of a refusal; the caller sees all of them except `audit`. */
export interface RefusalDetails {
  code: ErrorCode
  /** A second sentence: how to fix it. */
  message?: string
  /** The field, parameter, or header at fault. */
  field?: string
  issues?: readonly (FieldIssue | Issue)[]
  retryAfterSeconds?: number
  /** The current ETag of the resource; sent in the header ETag. */
  etag?: string
  /** Only for the security log; never sent to the caller. */
  audit?: Readonly<Record<string, string | undefined>>
  /** More members of the body. */
  extra?: Readonly<Record<string, unknown>>
}

/** A reason, a sentence, and the details; their code must be in the catalog under the reason. */
type RefusalArguments = {
  [R in Reason]: [reason: R, text: string, details: RefusalDetails & { code: CodeOf<R> }]
}[Reason]

/**
 * Thrown to reject a request; `text` is a full sentence that the caller can act on. The call site names the reason, and
 * the compiler checks it against the catalog, so that no function bundles the catalog.
 */
export class Refusal extends Error {
  override name = 'Refusal'
  readonly reason: Reason
  readonly details: RefusalDetails

  constructor(...[reason, text, details]: RefusalArguments) {
    super(text)
    this.reason = reason
    this.details = details
  }
}
