import type { CodeOf, ErrorCode } from './catalog.ts'
import type { FieldIssue, Issue } from './issue.ts'
import type { Reason } from './reason.ts'

/** What a refusal says beside its sentence; the caller sees all of it but `audit`. */
export interface RefusalDetails {
  code: ErrorCode
  /** A second sentence: what to do about it. */
  message?: string
  /** The field, parameter, or header at fault. */
  field?: string
  issues?: readonly (FieldIssue | Issue)[]
  retryAfterSeconds?: number
  /** The tag of the resource as it is now; sent in the header ETag. */
  etag?: string
  /** For the security log alone; never sent to the caller. */
  audit?: Readonly<Record<string, string | undefined>>
  /** Further members of the body. */
  extra?: Readonly<Record<string, unknown>>
}

/** A reason, a sentence, and the details, whose code must be one that the catalog lists under the reason. */
type RefusalArguments = {
  [R in Reason]: [reason: R, text: string, details: RefusalDetails & { code: CodeOf<R> }]
}[Reason]

/**
 * Thrown when a request cannot be served as it is; `text` is a full sentence that the caller can act on. The reason is
 * named at the call site, and the compiler compares it with the catalog, so that no function bundles the catalog.
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
