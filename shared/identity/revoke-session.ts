import type { Context } from '../context.ts'
import { currentOrThrow } from '../db/condition-failed.ts'
import { allOf, equal, present } from '../db/expression.ts'
import { transact } from '../db/table.ts'
import { Refusal } from '../errors/refusal.ts'
import { logSecurity } from '../security-log.ts'
import { credentials } from './credential.ts'
import { endOtherSessions } from './end-sessions.ts'
import { type Session, sessions } from './session.ts'

const notFound = () => new Refusal('missing', 'You have no session with this id.', { code: 'session_not_found' })

/** Ends one of the caller's sessions, which may be the current one. */
export const revokeSession = async (ctx: Context, { userId, generation }: Session, id: string): Promise<void> => {
  const when = allOf(present('PK'), equal('generation', generation))
  const removed = transact(ctx, () => [{ delete: sessions.key({ userId, id }), when }])
  await currentOrThrow(removed, notFound)
  logSecurity(ctx, 'session_revoked', { targetSessionId: id })
}

/** Ends all sessions of a person except the current one. */
export const revokeOtherSessions = async (ctx: Context, session: Session): Promise<void> => {
  const credential = await credentials.get(ctx, { email: session.email })
  if (credential === undefined) throw new Error('a session belongs to no credential')
  await endOtherSessions(ctx, session, credential)
  logSecurity(ctx, 'sessions_revoked')
}
