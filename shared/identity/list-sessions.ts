import * as z from 'zod/mini'
import type { Context } from '../context.ts'
import { described } from '../http/described.ts'
import { cutPage } from '../http/page.ts'
import { liveSessionsOf } from './live-sessions.ts'
import { type Session, SessionView } from './session.ts'

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
