import type { ErrorResponse } from '../../../shared/platforms/http.ts'
import type { PlatformError } from '../../../shared/platforms/platform-error.ts'

/** The error format of a platform, and its parser. */
export interface Form {
  body(code: string, reason: string, status: number): unknown
  headers?(code: string): Readonly<Record<string, string>>
  /** As the publishing call reads it. */
  classify(response: ErrorResponse): PlatformError
  /** The failure in a status call of unpublished media. */
  classifyFailed?(code: string): PlatformError
}
