import type { Context } from '../context.ts'
import { wasCurrent } from '../db/condition-failed.ts'
import { equal } from '../db/expression.ts'
import { put } from '../db/table.ts'
import { dayMs, minuteMs } from '../time.ts'
import { type AssistantConnection, assistantConnections } from '../workspaces/assistant-connection.ts'
import { mintConnectionToken } from './token.ts'

/** Decided: an access token lives half an hour, a refresh token 30 days. */
export const accessTokenMs = 30 * minuteMs
const refreshTokenMs = 30 * dayMs

/** How long a refresh token that was used is accepted again: its response may have been lost. */
export const graceMs = 30_000

/** The most tokens of a kind that a connection has. */
const maxEntries = 6

/** The answer of the token endpoint (RFC 6749, 5.1). */
export interface IssuedTokens {
  access_token: string
  token_type: 'Bearer'
  expires_in: number
  refresh_token: string
  scope: string
}

/** Stores a new pair of tokens, if the connection is as it was read; undefined if another request was faster. */
export const issueTokens = async (
  ctx: Context,
  connection: AssistantConnection,
  scopes: readonly string[],
  change: Partial<Pick<AssistantConnection, 'redeemedAtMs' | 'refresh'>>,
): Promise<IssuedTokens | undefined> => {
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
      ...changed.access.filter((one) => one.expiresAtMs > nowMs).slice(1 - maxEntries),
      { hash: access.hash, scopes: [...scopes], expiresAtMs: nowMs + accessTokenMs },
    ],
    refresh: [...changed.refresh, { hash: refresh.hash, expiresAtMs }],
    version: version + 1,
    expiresAtMs,
  }
  if (!(await wasCurrent(put(ctx, assistantConnections.item(row), equal('version', version))))) return undefined
  return {
    access_token: access.token,
    token_type: 'Bearer',
    expires_in: accessTokenMs / 1000,
    refresh_token: refresh.token,
    scope: scopes.join(' '),
  }
}

/** The refresh tokens that are still known: those that live, and those in their grace, of which there are few. */
export const knownRefresh = (refresh: AssistantConnection['refresh'], nowMs: number): AssistantConnection['refresh'] =>
  refresh.filter(({ replacedAtMs }) => replacedAtMs === undefined || nowMs - replacedAtMs <= graceMs)

export const hasRoom = (refresh: AssistantConnection['refresh']): boolean => refresh.length < maxEntries
