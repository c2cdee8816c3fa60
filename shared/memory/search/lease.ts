import type { Context } from '../../context.ts'
import { wasCurrent } from '../../db/condition-failed.ts'
import { absent, allOf, equal, present } from '../../db/expression.ts'
import { type Held, leaseFree, leaseOf } from '../../db/lease.ts'
import { batchGet, transact } from '../../db/table.ts'
import { workspaces } from '../../workspaces/workspace.ts'
import { collections } from '../collection.ts'
import type { IndexMessage } from './enqueue-indexing.ts'
import { type MemoryIndex, memoryIndexes } from './index-row.ts'
import { indexWork } from './index-work.ts'

/** The right to change a collection's indexes, held by one worker at a time. */
export interface Lease {
  row: Held<MemoryIndex>
  /** The number of memories in the collection when the lease began. */
  memoryCount: number
}

/** Takes the lease; undefined if another worker holds it, or the collection or its workspace is being deleted. */
export const takeLease = async (ctx: Context, message: IndexMessage): Promise<Lease | undefined> => {
  const { workspaceId, collectionId: id } = message
  const keys = { collection: collections.key({ workspaceId, id }), index: memoryIndexes.key({ workspaceId, id }) }
  const found = await batchGet(ctx, [keys.collection, keys.index])
  const before = memoryIndexes.from(found, { workspaceId, id })
  const collection = collections.from(found, { workspaceId, id })
  if (collection === undefined) return undefined
  const nowMs = ctx.clock.now()
  const leaseToken = (before?.leaseToken ?? 0) + 1
  const row = { id, workspaceId, leaseToken }
  const isFree = allOf(equal('leaseToken', leaseToken - 1), leaseFree('leaseUntilMs', nowMs))
  const set = { type: memoryIndexes.type, ...row, ...leaseOf(id, nowMs, indexWork.worker.timeoutSeconds) }
  const taken = transact(ctx, () => [
    { check: workspaces.key({ id: workspaceId }), when: present('PK') },
    { check: keys.collection, when: allOf(present('PK'), absent('deletedAtMs')) },
    { update: keys.index, change: { set }, when: before ? isFree : absent('PK') },
  ])
  if (!(await wasCurrent(taken))) return undefined
  return { row: { ...before, ...row }, memoryCount: collection.memoryCount }
}
