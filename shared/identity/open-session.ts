import type { Context } from '../context.ts'
import { absent } from '../db/expression.ts'
import { put, transact } from '../db/table.ts'
import { type Session, sessionDays, sessions } from './session.ts'
import { mintToken } from './token.ts'

/** Starts a session for a person and answers its token, which is not kept. */
export const openSession = async (
  ctx: Context,
  person: Pick<Session, 'userId' | 'email' | 'name' | 'userAgent'>,
): Promise<{ token: string; session: Session }> => {
  const { token, tokenId, secretHash } = await mintToken(ctx, 'ses', person.userId)
  const nowMs = ctx.clock.now()
  const session = {
    ...person,
    id: tokenId,
    secretHash,
    createdAt: new Date(nowMs).toISOString(),
    expiresAt: new Date(nowMs + sessionDays * 86_400_000).toISOString(),
  }
  await put(ctx, sessions.item(session), absent('PK'))
  return { token, session }
}

/** Ends a session: its token is refused from the next call on. */
export const endSession = (ctx: Context, session: Session): Promise<void> =>
  transact(ctx, () => [{ delete: sessions.key(session) }])
