import { hostOf, isHttp, refuseAddress } from '../../net/address.ts'

/** The most addresses in one request. */
export const maxImports = 10

/** Whether a reference is an address to fetch. A URL of the media host names a file of the service itself. */
export const isSourceAddress = (reference: string, mediaUrl: string): boolean =>
  /^[a-z][a-z0-9+.-]*:/i.test(reference) && !reference.startsWith(`${mediaUrl}/`)

/** The address in its canonical form, in which two spellings are equal. */
export const sourceUrlOf = (reference: string): string => {
  const url = URL.parse(reference)
  if (url === null) return reference
  url.hash = ''
  return url.href
}

/** The hosts that name the caller's own computer. */
const loopback = /^(?:(?:.+\.)?localhost|127\.[\d.]+|::1)$/

/** Why the service does not fetch from an address, as a sentence; undefined if it may. */
export const refuseSource = (reference: string, allowedOrigins: readonly string[]): string | undefined => {
  const isPlain = /^https?:\/\/[^/\\\s]/i.test(reference) && !/[\\\s\p{Cc}]/u.test(reference)
  if (/^https?:/i.test(reference) && !isPlain)
    return 'The address is not a plain URL such as https://example.com/a.jpg.'
  const why = refuseAddress(reference, allowedOrigins)
  const url = URL.parse(reference)
  if (why === undefined || url === null || !isHttp(url) || !loopback.test(hostOf(url))) return why
  return `${why} The host ${hostOf(url)} is your own computer, which the service cannot reach.`
}
