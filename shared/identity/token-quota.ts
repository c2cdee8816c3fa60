import type { Context } from '../context.ts'
import { assertQuota } from '../quotas/count.ts'
import { isLiveToken } from './access-token.ts'
import { listAccessTokens } from './list-access-tokens.ts'

/** How many of a person's tokens are neither revoked nor expired. */
export const countTokens = async (ctx: Context, userId: string): Promise<number> =>
  (await listAccessTokens(ctx, userId)).filter((token) => isLiveToken(token, ctx.clock.now())).length

/** Throws 409 if a person has the maximum number of live tokens. */
export const assertTokenQuota = async (ctx: Context, userId: string): Promise<void> =>
  assertQuota(ctx, undefined, 'accessTokens', { used: await countTokens(ctx, userId) })
