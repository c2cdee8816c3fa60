import * as z from 'zod/mini'
import type { Context } from '../context.ts'
import { ifCurrent } from '../db/condition-failed.ts'
import { entity } from '../db/entity.ts'
import { absent, anyOf, atMost } from '../db/expression.ts'
import { type BatchRows, update } from '../db/table.ts'
import { countKeys } from '../resources.ts'
import { dayMs } from '../time.ts'

/**
 * When a personal access token was last used. It is stored with the counters of calls, which every route can write: a
 * route that only reads needs no permission on the rows of people.
 */
export const TokenUse = z.object({ userId: z.string(), id: z.string(), lastUsedAt: z.string() })
export type TokenUse = z.infer<typeof TokenUse>

/**
 * Decided: one day is enough to tell a used token from a forgotten one, and costs one write a day instead of one per
 * call.
 */
const notedEveryMs = dayMs
const keptDays = 5 * 365

export const tokenUses = entity({
  type: 'TokenUse',
  shape: TokenUse,
  key: ({ userId, id }: Pick<TokenUse, 'userId' | 'id'>) => ({ PK: `${countKeys}TOKEN#${userId}${id}`, SK: 'RL' }),
})

/** Stores that a token was used, unless that is already stored for the last day. Never fails the call. */
export const noteUse = async (
  ctx: Context,
  found: BatchRows,
  token: Pick<TokenUse, 'userId' | 'id'>,
): Promise<void> => {
  const { userId, id } = token
  const nowMs = ctx.clock.now()
  const staleAt = new Date(nowMs - notedEveryMs).toISOString()
  const known = tokenUses.from(found, token)
  if (known !== undefined && known.lastUsedAt > staleAt) return
  const lastUsedAt = new Date(nowMs).toISOString()
  const set = { type: 'TokenUse', userId, id, lastUsedAt, ttl: Math.ceil(nowMs / 1000) + keptDays * 86_400 }
  const stale = anyOf(absent('PK'), atMost('lastUsedAt', staleAt))
  // Of concurrent calls, only one writes it.
  await ifCurrent(update(ctx, tokenUses.key(token), { set }, stale)).catch((error: unknown) => {
    ctx.log.warn('the use of a token was not stored', { reason: String(error) })
  })
}
