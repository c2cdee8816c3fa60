/**
 * What AWS says when it did nothing because it was asked for too much (DynamoDB Developer Guide, "Error handling"). A
 * pattern, because a class that our text names whole is kept in every bundle (infra/slim).
 */
const refusing =
  /^(?:(?:(?:Request)?Limit|ProvisionedThroughput)Exceeded|SlowDown|Throttling|TooManyRequests|TransactionConflict)(?:Exception)?$/

/** No connection came about, so nothing was sent. */
const unreachable = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN'])

/** The connection ended, or no answer came in time. */
const interrupted = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT'])

interface SdkError extends Error {
  code?: unknown
  $metadata?: { httpStatusCode?: number }
}

/**
 * How a call to AWS failed for a reason that passes: `refused` was certainly not carried out, of `unknown` nobody knows.
 * Undefined for every other error.
 */
export const failureOf = (error: unknown): 'refused' | 'unknown' | undefined => {
  if (!(error instanceof Error)) return undefined
  const { name, code, $metadata, cause }: SdkError = error
  if (refusing.test(name) || unreachable.has(String(code))) return 'refused'
  if (name === 'TimeoutError' || interrupted.has(String(code))) return 'unknown'
  if (($metadata?.httpStatusCode ?? 0) >= 500) return 'unknown'
  return cause === undefined ? undefined : failureOf(cause)
}
