import type { Context } from '../context.ts'
import { ifCurrent } from '../db/condition-failed.ts'
import { equal } from '../db/expression.ts'
import { retryOnConflict } from '../db/retry-on-conflict.ts'
import { put } from '../db/table.ts'
import { sameHash } from '../identity/token.ts'
import { digest } from '../ids.ts'
import { dayMs, minuteMs } from '../time.ts'
import { type AssistantConnection, assistantConnections } from '../workspaces/assistant-connection.ts'
import { OAuthError } from './protocol-endpoint.ts'
import { resourceOf } from './resource.ts'
import { revokeReused } from './revoke.ts'
import { mintConnectionToken, readConnectionToken } from './token.ts'

/** Decided: an access token lives half an hour, a refresh token 30 days. */
const accessTokenMs = 30 * minuteMs
const refreshTokenMs = 30 * dayMs

/** How long a refresh token that was used is accepted again: its response may have been lost. */
const graceMs = 30_000

/** The most tokens of a kind that a connection has. */
const maxEntries = 6

/** The response of the token endpoint (RFC 6749, 5.1). */
interface IssuedTokens {
  access_token: string
  token_type: 'Bearer'
  expires_in: number
  refresh_token: string
  scope: string
}

/** Stores a new pair of tokens, if the connection has not changed since it was read. */
const issueTokens = async (
  ctx: Context,
  connection: AssistantConnection,
  scopes: readonly string[],
  change: Partial<Pick<AssistantConnection, 'redeemedAtMs' | 'refresh'>>,
): Promise<IssuedTokens> => {
  const nowMs = ctx.clock.now()
  const [access, refresh] = await Promise.all([
    mintConnectionToken(ctx, 'oat', connection),
    mintConnectionToken(ctx, 'ort', connection),
  ])
  const { version } = connection
  const expiresAtMs = nowMs + refreshTokenMs
  const changed = { ...connection, ...change }
  const row: AssistantConnection = {
    ...changed,
    access: [
      ...changed.access.filter((entry) => entry.expiresAtMs > nowMs).slice(1 - maxEntries),
      { hash: access.hash, scopes: [...scopes], expiresAtMs: nowMs + accessTokenMs },
    ],
    refresh: [...changed.refresh, { hash: refresh.hash, expiresAtMs }],
    version: version + 1,
    expiresAtMs,
  }
  await put(ctx, assistantConnections.item(row), equal('version', version))
  return {
    access_token: access.token,
    token_type: 'Bearer',
    expires_in: accessTokenMs / 1000,
    refresh_token: refresh.token,
    scope: scopes.join(' '),
  }
}

/** The refresh tokens that are still known: the live ones, and the few in their grace period. */
const knownRefresh = (refresh: AssistantConnection['refresh'], nowMs: number): AssistantConnection['refresh'] =>
  refresh.filter(({ replacedAtMs }) => replacedAtMs === undefined || nowMs - replacedAtMs <= graceMs)

const hasRoom = (refresh: AssistantConnection['refresh']): boolean => refresh.length < maxEntries

type Form = Readonly<Record<string, string | undefined>>

const refuse = (text: string) => new OAuthError('invalid_grant', text)
const unknownCode = () => refuse('The authorization code is unknown, expired, or was already used.')
const unknownToken = () => refuse('The refresh token is unknown, expired, or revoked. Authorize again.')

const required = (form: Form, name: string): string => {
  const value = form[name]
  if (value === undefined || value === '')
    throw new OAuthError('invalid_request', `The parameter "${name}" is missing.`)
  return value
}

const assertResource = (ctx: Context, { resource }: Form) => {
  if (resource === undefined || resource === resourceOf(ctx)) return
  throw new OAuthError('invalid_target', `The resource must be ${resourceOf(ctx)}.`)
}

/** Exchanges an authorization code (RFC 6749, 4.1.3; RFC 7636, 4.5), once: a replay ends the connection. */
const exchangeCode = async (ctx: Context, form: Form): Promise<IssuedTokens> => {
  const [text, clientId] = [required(form, 'code'), required(form, 'client_id')]
  const [verifier, redirectUri] = [required(form, 'code_verifier'), required(form, 'redirect_uri')]
  assertResource(ctx, form)
  const parts = await readConnectionToken(ctx, 'oac', text)
  const connection = parts && (await assistantConnections.get(ctx, parts))
  if (!parts || !connection || !sameHash(connection.code.hash, parts.hash)) throw unknownCode()
  const { code } = connection
  if (connection.redeemedAtMs !== undefined) {
    await revokeReused(ctx, connection)
    throw unknownCode()
  }
  const nowMs = ctx.clock.now()
  if (code.expiresAtMs <= nowMs) throw unknownCode()
  if (connection.clientId !== clientId || code.redirectUri !== redirectUri) {
    throw refuse('The authorization code was issued to another client, or for another redirect URI.')
  }
  if (!/^[\w.~-]{43,128}$/.test(verifier) || !sameHash(code.challenge, digest(verifier))) {
    throw refuse('The code verifier does not match the code challenge.')
  }
  const issued = await ifCurrent(issueTokens(ctx, connection, connection.scopes, { redeemedAtMs: nowMs }))
  if (issued !== undefined) return issued
  // Two concurrent requests used the same code: that is a replay as well.
  const current = await assistantConnections.get(ctx, parts)
  if (current !== undefined) await revokeReused(ctx, current)
  throw unknownCode()
}

/** The scopes of the new access token: all of the connection, or fewer (RFC 6749, 6). */
const narrowed = ({ scopes }: AssistantConnection, requested: string | undefined): readonly string[] => {
  if (requested === undefined) return scopes
  const names = requested.split(' ').filter((name) => name !== '' && name !== 'offline_access')
  if (names.some((name) => !scopes.includes(name))) {
    throw new OAuthError('invalid_scope', 'The connection does not have all these scopes. Authorize again.')
  }
  return names.length === 0 ? scopes : names
}

/**
 * One try to refresh. A live token is replaced, and with it all others: within the grace period, any holder must be the same
 * client. A token that was just replaced yields another pair, because the response may have been lost. Any other token was
 * replaced long ago: someone has a copy.
 */
const tryRefresh = async (ctx: Context, form: Form, text: string): Promise<IssuedTokens> => {
  const parts = await readConnectionToken(ctx, 'ort', text)
  const connection = parts && (await assistantConnections.get(ctx, parts))
  if (!parts || !connection || connection.clientId !== required(form, 'client_id')) throw unknownToken()
  const nowMs = ctx.clock.now()
  const refresh = knownRefresh(connection.refresh, nowMs)
  const used = refresh.find(({ hash }) => sameHash(hash, parts.hash))
  if (used === undefined) {
    await revokeReused(ctx, connection)
    throw unknownToken()
  }
  if (used.expiresAtMs <= nowMs) throw unknownToken()
  const scopes = narrowed(connection, form['scope'])
  if (used.replacedAtMs !== undefined) {
    if (!hasRoom(refresh)) throw refuse('The refresh token was used too often. Use the latest one.')
    return issueTokens(ctx, connection, scopes, { refresh })
  }
  const replaced = refresh.map((entry) => ({ ...entry, replacedAtMs: entry.replacedAtMs ?? nowMs }))
  return issueTokens(ctx, connection, scopes, { refresh: replaced })
}

/** Exchanges a refresh token for a new pair (RFC 6749, 6; RFC 9700, 4.14.2). */
const refreshTokens = (ctx: Context, form: Form): Promise<IssuedTokens> => {
  const text = required(form, 'refresh_token')
  assertResource(ctx, form)
  const refusal = () => refuse('The refresh token is in use by other requests. Use the latest one.')
  return retryOnConflict({ tries: 5, refusal }, () => tryRefresh(ctx, form, text))
}

/** Handles requests to the token endpoint. */
export const exchange = (ctx: Context, form: Form): Promise<IssuedTokens> => {
  const grant = required(form, 'grant_type')
  if (grant === 'authorization_code') return exchangeCode(ctx, form)
  if (grant === 'refresh_token') return refreshTokens(ctx, form)
  throw new OAuthError('unsupported_grant_type', 'The grant type must be authorization_code or refresh_token.')
}
