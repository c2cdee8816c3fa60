import type { ErrorResponse } from '../../../shared/platforms/http.ts'
import type { PlatformError } from '../../../shared/platforms/platform-error.ts'

/** How a platform says no, and what reads it. */
export interface Form {
  body(code: string, words: string, status: number): unknown
  headers?(code: string): Readonly<Record<string, string>>
  /** As the publishing call reads it. */
  classify(response: ErrorResponse): PlatformError
  /** What a status call says of media that were not published. */
  classifyFailed?(code: string): PlatformError
}
