/**
 * The seconds of a Retry-After header (RFC 9110, section 10.2.3): a number or an HTTP date; undefined if it is neither.
 */
export const retryAfterSeconds = (header: string | undefined, nowMs: number): number | undefined => {
  const text = header?.trim() ?? ''
  if (/^\d+$/.test(text)) return Number(text)
  // Every form of an HTTP date starts with the day; Date.parse alone accepts almost any text.
  const atMs = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(atMs) ? undefined : Math.max(0, Math.ceil((atMs - nowMs) / 1000))
}
