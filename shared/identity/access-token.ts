import * as z from 'zod/mini'
import { entity } from '../db/entity.ts'

/** A personal access token as stored: bound to one person and one workspace. Only a hash of the secret is stored. */
export const AccessToken = z.object({
  id: z.string(),
  userId: z.string(),
  workspaceId: z.string(),
  name: z.string(),
  scopes: z.array(z.string()),
  secretHash: z.string(),
  createdAt: z.string(),
  expiresAt: z.nullable(z.string()),
  revokedAt: z.nullable(z.string()),
})
export type AccessToken = z.infer<typeof AccessToken>

/** Whether a token is neither revoked nor expired. */
export const isLiveToken = ({ revokedAt, expiresAt }: AccessToken, nowMs: number): boolean =>
  revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > nowMs)

/** Decided: an ended token stays in the list for 30 days. */
const shownDaysAfterEnd = 30

/** The `ttl` in seconds of the row of a token with this end; undefined for a token without an end. */
export const goneAfter = (end: string | null): number | undefined =>
  end === null ? undefined : Math.ceil(Date.parse(end) / 1000) + shownDaysAfterEnd * 86_400

export const accessTokens = entity({
  type: 'AccessToken',
  shape: AccessToken,
  key: ({ userId, id }: Pick<AccessToken, 'userId' | 'id'>) => ({ PK: `USER#${userId}`, SK: `PAT#${id}` }),
  indexes: ({ expiresAt }) => ({ ttl: goneAfter(expiresAt) }),
})

/** A personal access token as the API lists it. */
export const AccessTokenView = z
  .object({
    id: z.string(),
    name: z.string(),
    workspaceId: z.string(),
    scopes: z.array(z.string()),
    createdAt: z.string(),
    expiresAt: z.nullable(z.string()),
    lastUsedAt: z.nullable(z.string()),
    revokedAt: z.nullable(z.string()),
  })
  .register(z.globalRegistry, { id: 'AccessToken' })

// Decided: the public id is the prefix of the token (`svc_pat_<id>_...`), so that its owner recognizes it.
export const publicIdOf = (userId: string, id: string): string => `${userId}${id}`

/** The row's id in the public id of a token of this person; undefined if it names none of their tokens. */
export const rowIdOf = (userId: string, publicId: string): string | undefined => {
  const id = publicId.startsWith(userId) ? publicId.slice(userId.length) : ''
  return /^[0-9A-Za-z]{4}$/.test(id) ? id : undefined
}

export const viewAccessToken = (token: AccessToken, lastUsedAt: string | null): z.infer<typeof AccessTokenView> => ({
  ...token,
  lastUsedAt,
  id: publicIdOf(token.userId, token.id),
})
