import type { Context } from '../context.ts'
import type { Write } from '../db/table.ts'
import { limitOfQuota } from '../quotas/quotas.ts'
import { liveSessionsOf } from './list-sessions.ts'
import { sessions } from './session.ts'

/** One transaction ends at most this many sessions; the next sign-in ends the rest. */
const maxEndedAtOnce = 50

/**
 * The writes that make room for one more session. Decided: the number of sessions never causes a sign-in to be refused. The
 * oldest ones end instead.
 */
export const evictOldestSessions = async (ctx: Context, userId: string, generation: number): Promise<Write[]> => {
  const live = await liveSessionsOf(ctx, userId, generation)
  const tooMany = live.slice(Math.max(0, limitOfQuota(ctx, 'sessions', undefined) - 1))
  return tooMany.slice(-maxEndedAtOnce).map((session) => ({ delete: sessions.key(session) }))
}
