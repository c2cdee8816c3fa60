import type { BatchRows, Key } from '../db/table.ts'
import { isLive, type Session, sessions } from './session.ts'
import { sameHash, type TokenParts } from './token.ts'
import { users } from './user.ts'

/** The rows that say whether a session's token is valid. */
export const sessionKeys = ({ userId, tokenId: id }: TokenParts): Key[] => [
  sessions.key({ userId, id }),
  users.key({ id: userId }),
]

/** The session of a token; undefined if it is unknown, expired, or ended. */
export const liveSession = (found: BatchRows, parts: TokenParts, nowMs: number): Session | undefined => {
  const { userId, tokenId: id, secretHash } = parts
  const session = sessions.from(found, { userId, id })
  if (session === undefined || !sameHash(session.secretHash, secretHash)) return undefined
  return isLive(session, users.from(found, { id: userId }), nowMs) ? session : undefined
}
