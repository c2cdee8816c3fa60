import { allowsRedirect } from '../workspaces/redirect-urls.ts'

const maxLength = 300
const loopbackHosts = ['127.0.0.1', '[::1]', 'localhost']

/** Schemes of editors that receive the code by an address of their own; other programs use a reverse domain name. */
const editorSchemes = ['cursor:', 'vscode:', 'vscode-insiders:']

export const isLoopback = (text: string): boolean => {
  const { protocol, hostname } = new URL(text)
  return protocol === 'http:' && loopbackHosts.includes(hostname)
}

/** RFC 8252, 7.1: the scheme of a program is a domain name in reverse order. Browsers run nothing under such a scheme. */
const isProgram = ({ protocol }: URL) =>
  editorSchemes.includes(protocol) || /^[a-z][a-z0-9-]*(\.[a-z0-9-]+)+:$/.test(protocol)

/** What is wrong with a redirect URI that a client registers; undefined if nothing is. */
export const redirectFault = (text: string): string | undefined => {
  if (text.length > maxLength) return `has more than ${maxLength} characters`
  // No control character, no space, and no backslash, which browsers read as a slash.
  if (!/^[\x21-\x5b\x5d-\x7e]+$/.test(text) || !URL.canParse(text)) return 'is not an absolute URI'
  const url = new URL(text)
  if (url.protocol !== 'https:' && !isLoopback(text) && !isProgram(url)) {
    return 'must be https, http on a loopback host, or a private-use scheme such as com.example.app:/callback'
  }
  if (url.username !== '' || url.password !== '') return 'must have no user name and no password'
  if (text.includes('#')) return 'must have no fragment'
  return undefined
}

/** Whether a client may use a redirect URI: the same text, or any port on a loopback host (RFC 8252, 7.3). */
export const isRegistered = (registered: readonly string[], text: string): boolean =>
  redirectFault(text) === undefined && allowsRedirect(registered, text)

/** Where a redirect URI leads, in the words of the consent page. */
export const placeOf = (text: string): string => {
  if (isLoopback(text)) return 'a program on this computer'
  const { protocol, host } = new URL(text)
  return protocol === 'https:' ? host : `the program that opens ${protocol}`
}
