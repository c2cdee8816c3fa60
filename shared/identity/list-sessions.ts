import * as z from 'zod/mini'
import type { Context } from '../context.ts'
import { allOf, begins, equal } from '../db/expression.ts'
import { queryAll } from '../db/table.ts'
import { described } from '../http/described.ts'
import { cutPage } from '../http/page.ts'
import { type Session, SessionView, sessions } from './session.ts'

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

/** A session in its person's list. */
export const ListedSession = z
  .extend(SessionView, { current: described(z.boolean(), 'Whether this session sends the request.') })
  .register(z.globalRegistry, { id: 'ListedSession', description: 'A session in the list of its person.' })

/** The live sessions of the current session's person, newest first. */
export const listSessions = async (ctx: Context, current: Session, page: { limit: number; offset: number }) => {
  const live = await liveSessionsOf(ctx, current.userId, current.generation)
  const listed = live.map((session) => ({ ...session, current: session.id === current.id }))
  return cutPage(listed, page)
}
