/** The rest of the rate limit that a call counts against. */
export interface RateLimit {
  /** The requests that the limit allows in its window. */
  limit: number
  /** The requests left now. */
  remaining: number
  /** When all requests are available again. */
  resetAt: Date
}

/** The rate limit in the headers of a response; null if they contain none. */
export const rateLimitOf = (headers: Headers): RateLimit | null => {
  const [limit, remaining, reset] = ['Limit', 'Remaining', 'Reset'].map((name) => {
    const text = headers.get(`X-RateLimit-${name}`)
    return text === null ? Number.NaN : Number(text)
  })
  if (limit === undefined || remaining === undefined || reset === undefined) return null
  if (Number.isNaN(limit + remaining + reset)) return null
  return { limit, remaining, resetAt: new Date(reset * 1000) }
}
