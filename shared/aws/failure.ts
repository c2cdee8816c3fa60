/**
 * The error names of AWS for a call that was rejected because of throttling (DynamoDB Developer Guide, "Error
 * handling"). A pattern, because a full class name in our source keeps that class in every bundle (infra/deploy/slim).
 */
const refusing =
  /^(?:(?:(?:Request)?Limit|ProvisionedThroughput)Exceeded|SlowDown|Throttling|TooManyRequests|TransactionConflict)(?:Exception)?$/

/** The connection failed, so nothing was sent. */
const unreachable = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN'])

/** The connection was closed, or no response arrived in time. */
const interrupted = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT'])

interface SdkError extends Error {
  code?: unknown
  $metadata?: { httpStatusCode?: number }
}

/**
 * How a call to AWS failed, for temporary failures: `refused` was certainly not carried out, `unknown` may have been.
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
