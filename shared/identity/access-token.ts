import * as z from 'zod/mini'
import type { Context } from '../context.ts'
import { ifCurrent } from '../db/condition-failed.ts'
import { entity } from '../db/entity.ts'
import { absent, anyOf, atMost } from '../db/expression.ts'
import { type BatchRows, update } from '../db/table.ts'
import { described } from '../http/described.ts'
import { timestamp } from '../http/moment.ts'
import { countKeys } from '../resources.ts'
import { dayMs } from '../time.ts'

/**
 * When a personal access token was last used. It is stored with the counters of calls, which every route can write: a route
 * that only reads needs no permission on people's rows.
 */
const TokenUse = z.object({ userId: z.string(), id: z.string(), lastUsedAt: z.string() })
type TokenUse = z.infer<typeof TokenUse>

/**
 * Decided: a precision of one day is enough to tell a used token from a forgotten one, and costs one write a day instead of
 * one per call.
 */
const notedEveryMs = dayMs
const retentionDays = 5 * 365

export const tokenUses = entity({
  type: 'TokenUse',
  shape: TokenUse,
  key: ({ userId, id }: Pick<TokenUse, 'userId' | 'id'>) => ({ PK: `${countKeys}TOKEN#${userId}${id}`, SK: 'RL' }),
})

/** Stores that a token was used, unless that is already stored for the last day. Never fails the call. */
export const recordUse = async (
  ctx: Context,
  rows: BatchRows,
  token: Pick<TokenUse, 'userId' | 'id'>,
): Promise<void> => {
  const { userId, id } = token
  const nowMs = ctx.clock.now()
  const staleAt = new Date(nowMs - notedEveryMs).toISOString()
  const known = tokenUses.from(rows, token)
  if (known !== undefined && known.lastUsedAt > staleAt) return
  const lastUsedAt = new Date(nowMs).toISOString()
  const set = { type: 'TokenUse', userId, id, lastUsedAt, ttl: Math.ceil(nowMs / 1000) + retentionDays * 86_400 }
  const stale = anyOf(absent('PK'), atMost('lastUsedAt', staleAt))
  // Of concurrent calls, only one writes it.
  await ifCurrent(update(ctx, tokenUses.key(token), { set }, stale)).catch((error: unknown) => {
    ctx.log.warn('the use of a token was not stored', { reason: String(error) })
  })
}

/** A personal access token as stored: bound to one person and one workspace. Only a hash of the secret is stored. */
export const AccessToken = z.object({
  id: z.string(),
  userId: z.string(),
  workspaceId: z.string(),
  name: z.string(),
  scopes: z.array(z.string()),
  secretHash: z.string(),
  createdAt: z.string(),
  expiresAt: z.nullable(z.string()),
  revokedAt: z.nullable(z.string()),
})
export type AccessToken = z.infer<typeof AccessToken>

/** Whether a token is neither revoked nor expired. */
export const isLiveToken = ({ revokedAt, expiresAt }: AccessToken, nowMs: number): boolean =>
  revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > nowMs)

/** A token as the audit trail shows it. */
export const auditedToken = ({ userId, name, scopes, expiresAt }: AccessToken) => ({
  userId,
  name,
  scopes,
  expiresAt,
})

/** Decided: an ended token stays in the list for 30 days. */
const shownDaysAfterEnd = 30

/** The `ttl` in seconds of the row of a token with this end; undefined for a token without an end. */
export const goneAfter = (end: string | null): number | undefined =>
  end === null ? undefined : Math.ceil(Date.parse(end) / 1000) + shownDaysAfterEnd * 86_400

export const accessTokens = entity({
  type: 'AccessToken',
  shape: AccessToken,
  key: ({ userId, id }: Pick<AccessToken, 'userId' | 'id'>) => ({ PK: `USER#${userId}`, SK: `PAT#${id}` }),
  indexes: ({ expiresAt }) => ({ ttl: goneAfter(expiresAt) }),
})

/** A personal access token as the API lists it. */
export const AccessTokenView = z
  .object({
    id: described(z.string(), 'The ID of the token, the part after `svc_pat_` in its text.'),
    name: described(z.string(), 'The name that you gave the token.'),
    workspaceId: described(z.string(), 'The ID of the workspace that the token works in, `ws_…`.'),
    scopes: described(z.array(z.string()), 'What the token allows.'),
    createdAt: timestamp('When the token was created, in UTC.'),
    expiresAt: described(z.nullable(timestamp()), 'When the token expires, in UTC; null if it never does.'),
    lastUsedAt: described(z.nullable(timestamp()), 'When the token was last used, to the day; null if it never was.'),
    revokedAt: described(z.nullable(timestamp()), 'When the token was revoked; null unless it was.'),
  })
  .register(z.globalRegistry, { id: 'AccessToken', description: 'A personal access token without its secret.' })

// Decided: the public id is the prefix of the token (`svc_pat_<id>_...`), so that its owner recognizes it.
export const publicIdOf = (userId: string, id: string): string => `${userId}${id}`

/** The row's id in the public id of a token of this person; undefined if it names none of their tokens. */
export const rowIdOf = (userId: string, publicId: string): string | undefined => {
  const id = publicId.startsWith(userId) ? publicId.slice(userId.length) : ''
  return /^[0-9A-Za-z]{4}$/.test(id) ? id : undefined
}

export const viewAccessToken = (token: AccessToken, lastUsedAt: string | null): z.infer<typeof AccessTokenView> => ({
  ...token,
  lastUsedAt,
  id: publicIdOf(token.userId, token.id),
})
