import type { Context } from '../context.ts'
import { currentOrThrow } from '../db/condition-failed.ts'
import { present } from '../db/expression.ts'
import { update } from '../db/table.ts'
import { Refusal } from '../errors/refusal.ts'
import { logSecurity } from '../security-log.ts'
import { accessTokens, goneAfter, rowIdOf } from './access-token.ts'

/** The change that revokes a token. */
export const revocation = (ctx: Context) => {
  const revokedAt = new Date(ctx.clock.now()).toISOString()
  return { set: { revokedAt, ttl: goneAfter(revokedAt) } }
}

const unknown = () => new Refusal('missing', 'You have no token with this id.', { code: 'token_not_found' })

/** Revokes a person's own token: it is rejected from the next call on. */
export const revokeAccessToken = async (ctx: Context, userId: string, publicId: string): Promise<void> => {
  const id = rowIdOf(userId, publicId)
  if (id === undefined) throw unknown()
  await currentOrThrow(update(ctx, accessTokens.key({ userId, id }), revocation(ctx), present('PK')), unknown)
  logSecurity(ctx, 'authn_token_revoked', { targetTokenId: id })
}
