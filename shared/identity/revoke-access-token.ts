import type { Actor } from '../audit/actor.ts'
import { recordAudit } from '../audit/record.ts'
import type { Context } from '../context.ts'
import { conditionFailed } from '../db/condition-failed.ts'
import { equal } from '../db/expression.ts'
import { type BatchRows, type Key, transact, type Write } from '../db/table.ts'
import { Refusal } from '../errors/refusal.ts'
import { logSecurity } from '../security-log.ts'
import { type AccessToken, accessTokens, auditedToken, goneAfter, publicIdOf, rowIdOf } from './access-token.ts'
import { personIdIn } from './token.ts'

/** The writes that revoke a token, and record it in the audit trail of its workspace. */
export const revocation = (ctx: Context, token: AccessToken, by: Actor): Write[] => {
  const { userId, id, workspaceId } = token
  const revokedAt = new Date(ctx.clock.now()).toISOString()
  const target = { type: 'token' as const, id: publicIdOf(userId, id) }
  return [
    {
      as: 'token',
      update: accessTokens.key(token),
      change: { set: { revokedAt, ttl: goneAfter(revokedAt) } },
      when: equal('revokedAt', null),
    },
    recordAudit(ctx, by, { workspaceId, action: 'token.revoked', target, before: auditedToken(token) }),
  ]
}

const unknown = () => new Refusal('missing', 'You have no token with this id.', { code: 'token_not_found' })

/** The row that a public id names, read together with the authentication. */
export const revokedKeys = ({ params: { id: publicId } }: { params: { id: string } }): Key[] => {
  const userId = personIdIn(publicId)
  const id = rowIdOf(userId, publicId)
  return id === undefined ? [] : [accessTokens.key({ userId, id })]
}

/** Revokes a person's token: it is rejected from the next call on. A repeat changes nothing. */
export const revokeAccessToken = async (
  ctx: Context,
  rows: BatchRows,
  { userId, publicId }: { userId: string; publicId: string },
  by: Actor,
): Promise<void> => {
  const id = rowIdOf(userId, publicId)
  const token = id === undefined ? undefined : accessTokens.from(rows, { userId, id })
  if (token === undefined) throw unknown()
  if (token.revokedAt !== null) return
  try {
    await transact(ctx, () => revocation(ctx, token, by))
    logSecurity(ctx, 'authn_token_revoked', { targetTokenId: token.id })
  } catch (error) {
    // It was revoked during the request, or removed with a membership: neither can be used.
    if (!conditionFailed(error, 'token')) throw error
  }
}
