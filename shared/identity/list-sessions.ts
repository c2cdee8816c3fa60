import * as z from 'zod/mini'
import type { Context } from '../context.ts'
import { all, begins, equal } from '../db/expression.ts'
import { queryAll } from '../db/table.ts'
import { cutPage } from '../http/page.ts'
import { type Session, SessionView, sessions } from './session.ts'

/** A session in the list of its person. */
export const ListedSession = z
  .extend(SessionView, { current: z.boolean() })
  .register(z.globalRegistry, { id: 'ListedSession' })

/** The live sessions of the person of this one, newest first. */
export const listSessions = async (ctx: Context, current: Session, page: { limit: number; offset: number }) => {
  const { PK, SK } = sessions.key({ userId: current.userId, id: '' })
  const rows = await queryAll(ctx, { key: all(equal('PK', PK), begins('SK', SK)) })
  const now = new Date(ctx.clock.now()).toISOString()
  const live = rows
    .map(sessions.parse)
    .filter(({ generation, expiresAt }) => generation === current.generation && expiresAt > now)
    .sort((a, b) => (a.createdAt > b.createdAt ? -1 : 1))
  const listed = live.map((session) => ({ ...session, current: session.id === current.id }))
  return cutPage(listed, page)
}
