import * as z from 'zod/mini'
import { entity } from '../db/entity.ts'
import { digest } from '../ids.ts'
import { allowsRedirect } from '../workspaces/redirect-urls.ts'

const maxLength = 300
const loopbackHosts = ['127.0.0.1', '[::1]', 'localhost']

/** Schemes of editors that receive the code by their own address; other programs use a reverse domain name. */
const editorSchemes = ['cursor:', 'vscode:', 'vscode-insiders:']

export const isLoopback = (text: string): boolean => {
  const { protocol, hostname } = new URL(text)
  return protocol === 'http:' && loopbackHosts.includes(hostname)
}

/** RFC 8252, 7.1: the scheme of a native app is a domain name in reverse order. Browsers run nothing under such a scheme. */
const isProgram = ({ protocol }: URL) =>
  editorSchemes.includes(protocol) || /^[a-z][a-z0-9-]*(\.[a-z0-9-]+)+:$/.test(protocol)

/** What is wrong with a redirect URI that a client registers; undefined if it is valid. */
const redirectFault = (text: string): string | undefined => {
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

/** Where a redirect URI leads, as described on the consent page. */
export const destinationOf = (text: string): string => {
  if (isLoopback(text)) return 'a program on this computer'
  const { protocol, host } = new URL(text)
  return protocol === 'https:' ? host : `the program that opens ${protocol}`
}

const maxRedirectUris = 20

const RedirectUri = z.string().check(
  z.superRefine((text, issues) => {
    const fault = redirectFault(text)
    if (fault !== undefined) issues.addIssue({ code: 'custom', message: fault, input: text })
  }),
)

/** A name that a page can show on one line, without characters that change the direction of text or hide it. */
const cleanName = (text: string) =>
  text
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
    .trim()
    .slice(0, 80)

/**
 * Client metadata (RFC 7591, 2). Only public clients: no secret, and only the authorization code grant. Members that this
 * server does not use are ignored.
 */
export const ClientMetadata = z.object({
  redirect_uris: z.array(RedirectUri).check(z.minLength(1), z.maxLength(maxRedirectUris)),
  client_name: z.optional(z.pipe(z.string().check(z.maxLength(500)), z.transform(cleanName))),
  token_endpoint_auth_method: z.optional(z.literal('none')),
  grant_types: z.optional(
    z.array(z.string()).check(z.refine((types) => types.includes('authorization_code'), 'lacks authorization_code')),
  ),
  response_types: z.optional(
    z.array(z.string()).check(z.refine((types) => types.includes('code'), 'lacks the response type code')),
  ),
})
export type ClientMetadata = z.infer<typeof ClientMetadata>

/** A client: registered here, or read from its client ID metadata document. */
export const OAuthClient = z.object({
  id: z.string(),
  name: z.string(),
  redirectUris: z.array(z.string()),
  createdAtMs: z.number(),
  expiresAtMs: z.number(),
})
export type OAuthClient = z.infer<typeof OAuthClient>

export const oauthClients = entity({
  type: 'AssistantClient',
  shape: OAuthClient,
  key: ({ id }: Pick<OAuthClient, 'id'>) => ({ PK: `OCL#${digest(id)}`, SK: 'OCL' }),
  indexes: ({ expiresAtMs }) => ({ ttl: Math.ceil(expiresAtMs / 1000) }),
})

/** Whether a client is identified by the address of its metadata document. */
export const hasDocument = (clientId: string): boolean => /^https?:/i.test(clientId)

/** The host that vouches for a client: that of its document; undefined for a client that registered itself. */
export const hostOfClient = (clientId: string): string | undefined =>
  hasDocument(clientId) && URL.canParse(clientId) ? new URL(clientId).host : undefined
