import type { Context } from '../context.ts'
import { absent } from '../db/expression.ts'
import { put, transact, type Write } from '../db/table.ts'
import { logSecurity } from '../security-log.ts'
import { dayMs } from '../time.ts'
import { type Session, sessionDays, sessions } from './session.ts'
import { mintToken } from './token.ts'

/** The person of a session, and the generation of sessions that was read when they proved who they are. */
export type SessionStart = Pick<Session, 'userId' | 'email' | 'name' | 'userAgent'> & { generation?: number }

/** A session that is not stored yet, and its token, which is not stored. */
export const newSession = async (
  ctx: Context,
  { userId, email, name, userAgent, generation = 0 }: SessionStart,
): Promise<{ token: string; session: Session }> => {
  const { token, tokenId, secretHash } = await mintToken(ctx, 'ses', userId)
  const nowMs = ctx.clock.now()
  const session = {
    id: tokenId,
    userId,
    email,
    name,
    userAgent,
    generation,
    secretHash,
    createdAt: new Date(nowMs).toISOString(),
    expiresAt: new Date(nowMs + sessionDays * dayMs).toISOString(),
  }
  return { token, session }
}

export const storeSession = (session: Session): Write => ({
  put: sessions.item(session),
  when: absent('PK'),
})

/** Starts a session for a person and returns its token, which is not stored. */
export const openSession = async (ctx: Context, person: SessionStart): Promise<{ token: string; session: Session }> => {
  const opened = await newSession(ctx, person)
  await put(ctx, sessions.item(opened.session), absent('PK'))
  return opened
}

/** Ends a session: its token is rejected from the next call on. */
export const endSession = async (ctx: Context, session: Session): Promise<void> => {
  await transact(ctx, () => [{ delete: sessions.key(session) }])
  logSecurity(ctx, 'authn_logout')
}
