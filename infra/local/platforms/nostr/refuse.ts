import type { Answer } from '../../pages/server.ts'
import { type Refusals, Refused } from '../standin.ts'

/** An error in the format of the protocol; a media server sends it in a header. */
const failure = (status: number, refusal: string): Answer => ({
  status,
  headers: { 'x-reason': refusal.replace(/[^\x20-\x7e]/g, '?') },
  body: { refusal },
})

export function refuse(status: number, refusal: string): never {
  throw new Refused(failure(status, refusal))
}

/** The messages of relays for failures that can occur on any message. */
export const nostrRefusals: Refusals = {
  status: (status) =>
    failure(status, `${status >= 500 ? 'error' : 'invalid'}: the stand-in is configured to return this`),
  rateLimited: () => failure(429, 'rate-limited: slow down'),
  // Keys are never revoked: the closest case is a relay that no longer admits an author.
  tokenRevoked: () => failure(403, 'restricted: not a member'),
  blocked: () => failure(403, 'blocked: you are banned from posting here'),
  tooLarge: () => failure(413, 'invalid: too large'),
  unknownRoute: () => failure(404, 'unsupported: unknown message'),
}
