import * as z from 'zod/mini'
import { entity } from '../db/entity.ts'
import { digest } from '../ids.ts'
import { redirectFault } from './redirect-uri.ts'

export const maxRedirectUris = 20

const RedirectUri = z.string().check(
  z.superRefine((text, issues) => {
    const fault = redirectFault(text)
    if (fault !== undefined) issues.addIssue({ code: 'custom', message: fault, input: text })
  }),
)

/** A name that a page can show on one line, without characters that turn or hide text. */
const cleanName = (text: string) =>
  text
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
    .trim()
    .slice(0, 80)

/**
 * What a client says of itself (RFC 7591, 2). Only public clients: no secret, and only the authorization code grant.
 * Members that this server does not use are ignored.
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

/** A client: registered here, or read from its own metadata document. */
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
