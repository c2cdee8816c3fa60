import type { Context } from '../context.ts'
import { assertQuota } from '../quotas/check.ts'
import { listWorkspaces } from './list.ts'

/** How many workspaces a person owns. */
export const countOwned = async (ctx: Context, userId: string): Promise<number> =>
  (await listWorkspaces(ctx, userId)).filter(({ role }) => role === 'owner').length

/** Throws 409 if a person owns the maximum number of workspaces. */
export const assertOwnedQuota = async (ctx: Context, userId: string): Promise<void> =>
  assertQuota(ctx, undefined, 'ownedWorkspaces', await countOwned(ctx, userId))
