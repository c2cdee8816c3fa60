import { enqueueOrSweep } from '../aws/queue.ts'
import type { Context } from '../context.ts'
import { currentOrThrow } from '../db/condition-failed.ts'
import { sweepAt, sweepGraceMs } from '../db/sweep-at.ts'
import { transact } from '../db/table.ts'
import { type Collection, collections } from './collection.ts'
import { releaseCollection } from './collection-limit.ts'
import { collectionNotFound, writableBy } from './find.ts'
import type { CollectionPurge } from './purge-collection.ts'

const enqueuePurge = (ctx: Context, { workspaceId, id: collectionId }: Collection) => {
  const body: CollectionPurge = { workspaceId, collectionId }
  return enqueueOrSweep(ctx, 'purge', { body, group: workspaceId })
}

/**
 * Deletes a collection: from now on it is invisible, no memory can be added, and it no longer counts toward the limit.
 * A worker removes its memories.
 */
export const deleteCollection = async (ctx: Context, collection: Collection, userId: string): Promise<void> => {
  const { id, workspaceId } = collection
  const nowMs = ctx.clock.now()
  const set = { deletedAtMs: nowMs, ...sweepAt(id, nowMs + sweepGraceMs) }
  const written = transact(ctx, () => [
    { update: collections.key(collection), change: { set }, when: writableBy(userId) },
    releaseCollection(workspaceId),
  ])
  await currentOrThrow(written, () => collectionNotFound(id, 'id'))
  await enqueuePurge(ctx, collection)
}
