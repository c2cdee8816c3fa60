import * as z from 'zod/mini'
import type { Context } from '../context.ts'
import { absent } from '../db/expression.ts'
import { put } from '../db/table.ts'
import { random62 } from '../ids.ts'
import { dayMs } from '../time.ts'
import { ClientMetadata, type OAuthClient, oauthClients } from './client.ts'
import { OAuthError } from './protocol-endpoint.ts'

/** Decided: a registration that is unused for 90 days is deleted. Each consent extends it. */
export const registrationMs = 90 * dayMs

const read = (json: string): ClientMetadata => {
  let sent: unknown
  try {
    sent = JSON.parse(json)
  } catch {
    throw new OAuthError('invalid_client_metadata', 'The body is not valid JSON.')
  }
  const parsed = z.safeParse(ClientMetadata, sent)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const at = issue?.path.join('.') ?? ''
  const code = at.startsWith('redirect_uris') ? 'invalid_redirect_uri' : 'invalid_client_metadata'
  throw new OAuthError(code, `${at === '' ? 'The body' : at}: ${issue?.message ?? 'is invalid'}`)
}

/** Registers a public client (RFC 7591, 3). Its metadata is not verified, and it gets no secret. */
export const registerClient = async (ctx: Context, json: string) => {
  const { redirect_uris, client_name } = read(json)
  const nowMs = ctx.clock.now()
  const client: OAuthClient = {
    id: `svc_cli_${random62(24)}`,
    name: client_name === undefined || client_name === '' ? 'Unnamed assistant' : client_name,
    redirectUris: redirect_uris,
    createdAtMs: nowMs,
    expiresAtMs: nowMs + registrationMs,
  }
  await put(ctx, oauthClients.item(client), absent('PK'))
  return {
    client_id: client.id,
    client_id_issued_at: Math.floor(nowMs / 1000),
    client_name: client.name,
    redirect_uris,
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
  }
}
