import type { Context } from '../context.ts'
import { present } from '../db/expression.ts'
import { ConditionFailed, update } from '../db/table.ts'
import { Refusal } from '../errors.ts'
import { logSecurity } from '../security-log.ts'
import { accessTokens, goneAfter, rowIdOf } from './access-token.ts'

const unknown = () => new Refusal('missing', 'You have no token of this id.', { code: 'token_missing' })

/** Revokes a person's own token: it is refused from the next call on. */
export const revokeAccessToken = async (ctx: Context, userId: string, publicId: string): Promise<void> => {
  const id = rowIdOf(userId, publicId)
  if (id === undefined) throw unknown()
  const revokedAt = new Date(ctx.clock.now()).toISOString()
  const change = { set: { revokedAt, ttl: goneAfter(revokedAt) } }
  await update(ctx, accessTokens.key({ userId, id }), change, present('PK')).catch((error: unknown) => {
    if (error instanceof ConditionFailed) throw unknown()
    throw error
  })
  logSecurity(ctx, 'authn_token_revoked', { targetTokenId: id })
}
