import type { Context } from '../context.ts'
import { isLiveToken } from '../identity/access-token.ts'
import { listAccessTokens } from '../identity/list-access-tokens.ts'
import { liveSessionsOf } from '../identity/live-sessions.ts'
import type { Session } from '../identity/session.ts'
import { listWorkspaces } from '../workspaces/list.ts'
import { assertQuota } from './check.ts'

/** How many workspaces a person owns. */
const countOwned = async (ctx: Context, userId: string): Promise<number> =>
  (await listWorkspaces(ctx, userId)).filter(({ role }) => role === 'owner').length

/** How many of a person's tokens are neither revoked nor expired. */
const countTokens = async (ctx: Context, userId: string): Promise<number> =>
  (await listAccessTokens(ctx, userId)).filter((token) => isLiveToken(token, ctx.clock.now())).length

/** Throws 409 where a person owns as many workspaces as they may. */
export const assertOwnedQuota = async (ctx: Context, userId: string): Promise<void> =>
  assertQuota(ctx, undefined, 'ownedWorkspaces', await countOwned(ctx, userId))

/** Throws 409 where a person has as many live tokens as they may. */
export const assertTokenQuota = async (ctx: Context, userId: string): Promise<void> =>
  assertQuota(ctx, undefined, 'accessTokens', await countTokens(ctx, userId))

/** What a person uses of the quotas that are counted for persons. */
export const personalUse = async (ctx: Context, { userId, generation }: Session) => {
  const [ownedWorkspaces, accessTokens, sessions] = await Promise.all([
    countOwned(ctx, userId),
    countTokens(ctx, userId),
    liveSessionsOf(ctx, userId, generation),
  ])
  return { ownedWorkspaces, accessTokens, sessions: sessions.length }
}
