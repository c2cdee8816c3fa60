import type { Context } from '../../context.ts'
import { conditionFailed, wasCurrent } from '../../db/condition-failed.ts'
import { absent, allOf, anyOf, atMost, equal, present } from '../../db/expression.ts'
import { leaseGraceMs, notSwept, sweepAt } from '../../db/sweep-at.ts'
import { batchGet, transact, update } from '../../db/table.ts'
import { workspaces } from '../../workspaces/workspace.ts'
import { collections } from '../collection.ts'
import type { IndexMessage } from './enqueue-indexing.ts'
import { type MemoryIndex, memoryIndexes } from './index-row.ts'

/** Longer than the worker's timeout (functions/workers/index-memories.ts). */
export const leaseMs = 110_000

/** The right to change a collection's indexes, held by one worker at a time. */
export interface Lease {
  row: MemoryIndex
  /** The number of memories in the collection when the lease began. */
  memoryCount: number
  keep(change: Partial<MemoryIndex>): Promise<void>
  /** Releases the lease; with a time, the sweeper continues the work then. */
  end(change: Partial<MemoryIndex>, againAtMs?: number): Promise<void>
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
  const version = (before?.version ?? 0) + 1
  const leasedUntilMs = nowMs + leaseMs
  const isFree = anyOf(absent('leasedUntilMs'), atMost('leasedUntilMs', nowMs))
  const set = {
    type: 'MemoryIndex',
    id,
    workspaceId,
    version,
    leasedUntilMs,
    ...sweepAt(id, leasedUntilMs + leaseGraceMs),
  }
  const taken = transact(ctx, () => [
    { check: workspaces.key({ id: workspaceId }), when: present('PK') },
    { check: keys.collection, when: allOf(present('PK'), absent('deletedAtMs')) },
    {
      update: keys.index,
      change: { set },
      when: before ? allOf(equal('version', before.version), isFree) : absent('PK'),
    },
  ])
  if (!(await wasCurrent(taken))) return undefined
  const row: MemoryIndex = { ...before, id, workspaceId, version, leasedUntilMs }
  const isMine = equal('version', version)
  return {
    row,
    memoryCount: collection.memoryCount,
    async keep(change) {
      await update(ctx, keys.index, { set: change }, isMine)
      Object.assign(row, change)
    },
    async end({ wholeAtCount, ...change }, againAtMs) {
      const set = { ...change, ...(againAtMs === undefined ? {} : { sweepAtMs: againAtMs }) }
      const remove = ['leasedUntilMs', ...(againAtMs === undefined ? notSwept : [])]
      const whole =
        wholeAtCount === undefined
          ? { set, remove: [...remove, 'wholeAtCount'] }
          : { set: { ...set, wholeAtCount }, remove }
      await update(ctx, keys.index, whole, isMine)
    },
  }
}

/** Whether a write failed because another worker now holds the lease. */
export const isLostLease = (error: unknown): boolean => conditionFailed(error)
