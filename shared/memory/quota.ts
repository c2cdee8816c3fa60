import type { Context } from '../context.ts'
import { equal } from '../db/expression.ts'
import { queryAll } from '../db/table.ts'
import { assertQuota } from '../quotas/count.ts'
import { limitOfQuota } from '../quotas/quotas.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import { type Collection, collections, collectionsOf } from './collection.ts'

/** The number of memories in all collections of a workspace, with one Query. */
export const countMemories = async (ctx: Context, workspaceId: string): Promise<number> => {
  const rows = await queryAll(ctx, { key: equal('PK', collectionsOf(workspaceId)) })
  return collections
    .readable(ctx, rows)
    .reduce((sum, { memoryCount, deletedAtMs }) => sum + (deletedAtMs === undefined ? memoryCount : 0), 0)
}

/** With a large quota, the quota is checked once per this many memories of a collection. */
const maxBetweenLooks = 100

/**
 * Throws 409 if the workspace has reached its quota of memories.
 * Decided: the collections are summed only at every hundredth memory of a collection (more often if the quota is below
 * 100,000). So the quota can be exceeded by up to 0.1 % for each collection, and saving a memory costs no further read.
 */
export const assertMemoryQuota = async (ctx: Context, workspace: Workspace, collection: Collection): Promise<void> => {
  const limit = limitOfQuota(ctx, 'memories', workspace.quotas)
  const step = Math.max(1, Math.min(maxBetweenLooks, Math.floor(limit / 1000)))
  if ((collection.memoryCount + 1) % step !== 0) return
  assertQuota(ctx, workspace, 'memories', { used: await countMemories(ctx, workspace.id) })
}
