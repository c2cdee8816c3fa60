import type { Context } from '../context.ts'
import { allOf, begins, equal } from '../db/expression.ts'
import { queryAll } from '../db/table.ts'
import { type Session, sessions } from './session.ts'

/** The live sessions of a person, newest first. */
export const liveSessionsOf = async (ctx: Context, userId: string, generation: number): Promise<Session[]> => {
  const { PK, SK } = sessions.key({ userId, id: '' })
  const rows = await queryAll(ctx, { key: allOf(equal('PK', PK), begins('SK', SK)) })
  const now = new Date(ctx.clock.now()).toISOString()
  return sessions
    .readable(ctx, rows)
    .filter((session) => session.generation === generation && session.expiresAt > now)
    .sort((a, b) => (a.createdAt > b.createdAt ? -1 : 1))
}
