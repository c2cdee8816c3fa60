/** When and how long the client retries. */
export interface RetryPolicy {
  /** The most attempts after the first one. */
  maxRetries: number
  /** The delay before the first retry, doubled for each one that follows. */
  baseMs: number
  /** The longest of these delays. */
  maxMs: number
  /** A longer `Retry-After` is not waited for: the error is thrown instead. */
  maxRetryAfterMs: number
}

export const defaultRetries: RetryPolicy = { maxRetries: 3, baseMs: 500, maxMs: 8_000, maxRetryAfterMs: 60_000 }

/** `Retry-After` in milliseconds: seconds, or a date (RFC 9110, 10.2.3). Null if there is none, or it cannot be parsed. */
export const retryAfterMs = (header: string | null, now: number): number | null => {
  if (header === null) return null
  if (/^\d+$/.test(header)) return Number(header) * 1000
  const at = Date.parse(header)
  return Number.isNaN(at) ? null : Math.max(0, at - now)
}

/**
 * How long to wait before a retry; null if none is due. The delay doubles, with a random half to spread clients. It is never
 * shorter than `Retry-After`.
 */
export const delayBefore = (
  retry: number,
  { maxRetries, baseMs, maxMs, maxRetryAfterMs }: RetryPolicy,
  after: number | null,
  random: number,
): number | null => {
  if (retry > maxRetries) return null
  const full = Math.min(maxMs, baseMs * 2 ** (retry - 1))
  const jittered = full / 2 + (full / 2) * random
  if (after === null) return jittered
  return after > maxRetryAfterMs ? null : after + (jittered - full / 2)
}

/** Waits, and rejects with the reason of the signal as soon as it is aborted. */
export const sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const abort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, ms)
    signal?.addEventListener('abort', abort, { once: true })
  })
