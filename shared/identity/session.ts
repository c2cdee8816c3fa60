import * as z from 'zod/mini'
import { entity } from '../db/entity.ts'
import type { BatchRows, Key } from '../db/table.ts'
import { Refusal } from '../errors/refusal.ts'
import { described } from '../http/described.ts'
import { timestamp } from '../http/moment.ts'
import { sameHash, type TokenParts } from './token.ts'
import { type User, UserView, users } from './user.ts'

/** A session: 30 days, bearer only; it stores what get-session shows of the user. */
export const Session = z.object({
  id: z.string(),
  userId: z.string(),
  secretHash: z.string(),
  email: z.string(),
  name: z.string(),
  createdAt: z.string(),
  expiresAt: z.string(),
  userAgent: z.string(),
  generation: z._default(z.number(), 0),
})
export type Session = z.infer<typeof Session>

export const sessionDays = 30

export const sessions = entity({
  type: 'Session',
  shape: Session,
  key: ({ userId, id }: Pick<Session, 'userId' | 'id'>) => ({ PK: `USER#${userId}`, SK: `SES#${id}` }),
  indexes: ({ expiresAt }) => ({ ttl: Math.ceil(Date.parse(expiresAt) / 1000) }),
})

/** Whether a session is live: it has not expired, and its person has not ended all sessions since. */
const isLive = (session: Session, user: User | undefined, nowMs: number): boolean =>
  Date.parse(session.expiresAt) > nowMs && session.generation === (user?.sessionGeneration ?? 0)

/** A session as shown to its person. */
export const SessionView = z
  .object({
    id: described(z.string(), 'The ID of the session.'),
    expiresAt: timestamp('When the session ends, in UTC: 30 days after the sign-in.'),
    createdAt: timestamp('When the person signed in, in UTC.'),
    userAgent: described(z.string(), 'The `User-Agent` of the sign-in.'),
  })
  .register(z.globalRegistry, { id: 'Session', description: 'A session of a person who is signed in.' })

/** The user of a session. Only a verified address has sessions, so `emailVerified` is true. */
export const userOf = (session: Session): z.infer<typeof UserView> => ({
  id: session.userId,
  email: session.email,
  name: session.name,
  emailVerified: true,
})

/** The response of a sign-in. */
export const SignedIn = z.object({
  redirect: described(z.literal(false), 'Always false.'),
  token: described(z.string(), 'The session token, `svc_ses_…`. Send it as the bearer token.'),
  user: UserView,
})

export const signedIn = (token: string, session: Session): z.infer<typeof SignedIn> => ({
  redirect: false,
  token,
  user: userOf(session),
})

/** The caller's session on a route that requires one. */
export const sessionOf = (
  principal: { kind: 'session'; session: Session } | { kind: 'pat' | 'assistant' | 'application' },
): Session => {
  if (principal.kind === 'application') {
    throw new Refusal('forbidden', 'Only a person can do this. The token of an application cannot.', {
      code: 'session_required',
    })
  }
  if (principal.kind !== 'session') throw new Error('a route for sessions was reached without one')
  return principal.session
}

/** The rows that say whether a session's token is valid. */
export const sessionKeys = ({ userId, tokenId: id }: TokenParts): Key[] => [
  sessions.key({ userId, id }),
  users.key({ id: userId }),
]

/** The session of a token; undefined if it is unknown, expired, or ended. */
export const liveSession = (rows: BatchRows, parts: TokenParts, nowMs: number): Session | undefined => {
  const { userId, tokenId: id, secretHash } = parts
  const session = sessions.from(rows, { userId, id })
  if (session === undefined || !sameHash(session.secretHash, secretHash)) return undefined
  return isLive(session, users.from(rows, { id: userId }), nowMs) ? session : undefined
}
