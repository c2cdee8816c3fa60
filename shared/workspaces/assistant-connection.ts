import * as z from 'zod/mini'
import { entity } from '../db/entity.ts'
import { described } from '../http/described.ts'
import { publicIdOf } from '../identity/access-token.ts'

const clockTime = /^([01]\d|2[0-3]):[0-5]\d$/
const ClockTime = z.string().check(z.regex(clockTime, { error: 'must be a time of day, such as 22:00' }))

export const maxPostsPerDay = 1_000

/** What limits an assistant beyond its scopes. The person sets it when they allow the connection. */
export const Safety = z.object({
  postsPerDay: z.optional(
    described(z.int().check(z.minimum(1), z.maximum(maxPostsPerDay)), 'The most posts that it may create in a day.'),
  ),
  draftsOnly: described(z.boolean(), 'Whether it may only write drafts.'),
  quietHours: z.optional(
    described(
      z.object({
        from: described(ClockTime, 'When the quiet hours begin, such as `22:00`.'),
        to: described(ClockTime, 'When they end, such as `07:00`. Before `from`, on the next day.'),
        timeZone: described(z.string(), 'The time zone of both times, by its IANA name.'),
      }),
      'The hours when it must not publish.',
    ),
  ),
})
export type Safety = z.infer<typeof Safety>

/** A token of a connection: only a hash of its secret is stored. */
const AccessEntry = z.object({ hash: z.string(), scopes: z.array(z.string()), expiresAtMs: z.number() })
/** A refresh token that was used is replaced; for a short grace it is accepted again. */
const RefreshEntry = z.object({ hash: z.string(), expiresAtMs: z.number(), replacedAtMs: z.optional(z.number()) })

/**
 * A person's permission for an assistant to act for them in one workspace (the grant of RFC 6749). It has all its codes
 * and tokens, so that one write grants, rotates, or revokes.
 */
export const AssistantConnection = z.object({
  id: z.string(),
  userId: z.string(),
  workspaceId: z.string(),
  clientId: z.string(),
  clientName: z.string(),
  scopes: z.array(z.string()),
  safety: Safety,
  /** The resource of these tokens (RFC 8707). */
  audience: z.string(),
  /** The authorization code (RFC 6749, 4.1.2), and the values that must accompany it. */
  code: z.object({
    hash: z.string(),
    challenge: z.string(),
    redirectUri: z.string(),
    expiresAtMs: z.number(),
  }),
  /** When the code was exchanged. A connection without it is not listed. */
  redeemedAtMs: z.optional(z.number()),
  access: z.array(AccessEntry),
  refresh: z.array(RefreshEntry),
  version: z.number(),
  createdAt: z.string(),
  /** When the last refresh token expires, and with it the connection. */
  expiresAtMs: z.number(),
})
export type AssistantConnection = z.infer<typeof AssistantConnection>

export type ConnectionKey = Pick<AssistantConnection, 'workspaceId' | 'userId' | 'id'>

export const assistantConnections = entity({
  type: 'AssistantConnection',
  shape: AssistantConnection,
  // In the partition of the workspace: it ends with the workspace, and with the membership.
  key: ({ workspaceId, userId, id }: ConnectionKey) => ({ PK: `WS#${workspaceId}`, SK: `ASSISTANT#${userId}#${id}` }),
  indexes: ({ expiresAtMs }) => ({ ttl: Math.ceil(expiresAtMs / 1000) }),
})

/** A connection as the audit trail shows it. */
export const auditedConnection = ({ userId, clientId, clientName, scopes, safety }: AssistantConnection) => {
  const { postsPerDay, draftsOnly, quietHours } = safety
  const quiet = quietHours && `${quietHours.from}–${quietHours.to} ${quietHours.timeZone}`
  return { userId, clientId, clientName, scopes, postsPerDay, draftsOnly, quietHours: quiet }
}

/** Decided: as with tokens, the public id is the person's id and that of the row. */
export const connectionIdOf = ({ userId, id }: Pick<AssistantConnection, 'userId' | 'id'>): string =>
  publicIdOf(userId, id)
