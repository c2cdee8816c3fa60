import * as z from 'zod/mini'

export const maxRedirectUrls = 20
const maxLength = 300

/** The parameters that the service adds (social-accounts/oauth-state.ts). */
export const returnParameters = ['status', 'platform', 'accountId', 'accountIds', 'state', 'error'] as const

const loopbackHosts = ['127.0.0.1', '[::1]', 'localhost']

const isLoopback = ({ protocol, hostname }: URL) => protocol === 'http:' && loopbackHosts.includes(hostname)

/**
 * What is wrong with a redirect URL; undefined if it is valid. Only the normalized form that browsers use is accepted, so
 * that text comparison and browser agree about where it leads: no backslash, no user info, no encoded host.
 */
const faultOf = (text: string): string | undefined => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined) return 'must be an absolute URL'
  if (url.protocol !== 'https:' && !isLoopback(url))
    return 'must start with https://, or with http:// on a loopback host'
  if (url.username !== '' || url.password !== '') return 'must have no user name and no password'
  if (text.includes('#')) return 'must have no fragment'
  if (url.hostname.endsWith('.')) return 'must have a host without a dot at its end'
  if (url.href !== text) return `must be written as browsers send it: ${url.href.slice(0, maxLength)}`
  const taken = returnParameters.find((name) => url.searchParams.has(name))
  return taken === undefined ? undefined : `must not have the parameter "${taken}", which the service adds`
}

/** A URL of an app to which people return after they connected an account (RFC 9700, section 2.1). */
export const RedirectUrl = z.string().check(
  z.maxLength(maxLength),
  z.superRefine((text, issues) => {
    const fault = faultOf(text)
    if (fault !== undefined) issues.addIssue({ code: 'custom', message: fault, input: text })
  }),
)

const withoutPort = (text: string) => {
  const url = new URL(text)
  url.port = ''
  return url.href
}

/**
 * Whether a workspace allows a redirect URL: one of its URLs is the same text. Only the port of a loopback address may
 * differ, which a local server may not know in advance (RFC 8252, section 7.3).
 */
export const allowsRedirect = (allowed: readonly string[], text: string): boolean => {
  if (allowed.includes(text)) return true
  if (faultOf(text) !== undefined || !isLoopback(new URL(text))) return false
  return allowed.some((url) => isLoopback(new URL(url)) && withoutPort(url) === withoutPort(text))
}
