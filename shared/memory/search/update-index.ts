import type { Context } from '../../context.ts'
import { removeRows } from '../../db/bulk.ts'
import { wasCurrent } from '../../db/condition-failed.ts'
import { absent, allOf, begins, equal, present } from '../../db/expression.ts'
import { type Claimed, LeaseLost, leaseFree, leaseOf } from '../../db/lease.ts'
import { batchGet, queryAll, transact } from '../../db/table.ts'
import { workspaces } from '../../workspaces/workspace.ts'
import { collections } from '../collection.ts'
import type { Engine, IndexWork } from './engine.ts'
import { engines } from './engines.ts'
import type { IndexMessage } from './enqueue-indexing.ts'
import { type MemoryIndex, type MemoryRemoval, memoryIndexes, memoryRemovals, removalsOf } from './index-row.ts'
import { indexWork } from './index-work.ts'
import { memoriesBetween, settledBelow } from './unindexed.ts'

/** The right to change a collection's indexes, held by one worker at a time. */
interface Lease {
  row: Claimed<MemoryIndex>
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

const againAfterMs = 60_000
const maxRemovals = 5_000

const readRemovals = async (ctx: Context, { workspaceId, collectionId }: IndexMessage): Promise<MemoryRemoval[]> => {
  const key = allOf(equal('PK', removalsOf(workspaceId)), begins('SK', `${collectionId}#`))
  return memoryRemovals.readable(ctx, await queryAll(ctx, { key }, maxRemovals))
}

/** Runs one engine; undefined if it failed, and the sweeper then repeats it. */
const attempt = async (ctx: Context, engine: Engine, work: IndexWork) => {
  try {
    return await engine.updateIndex(ctx, work)
  } catch (error) {
    if (error instanceof LeaseLost) throw error
    const { name } = engine
    ctx.log.warn('an index update failed', { collectionId: work.row.id, engine: name, reason: String(error) })
    return undefined
  }
}

const isWhole = async (ctx: Context, { row }: Lease, below: string) => {
  for await (const [newer] of memoriesBetween(ctx, row, below)) return newer === undefined
  return true
}

const update = async (ctx: Context, lease: Lease, message: IndexMessage) => {
  const below = settledBelow(ctx.clock.now())
  const removals = await readRemovals(ctx, message)
  const removed = removals.map(({ memoryId }) => memoryId)
  const outcomes: Awaited<ReturnType<typeof attempt>>[] = []
  const { row } = lease
  const keep = async (change: Partial<MemoryIndex>) => {
    await indexWork.save(ctx, row, { set: change })
    Object.assign(row, change)
  }
  for (const engine of engines(ctx)) outcomes.push(await attempt(ctx, engine, { row, removed, below, keep }))
  const notWhole = { remove: ['wholeAtCount'] }
  if (outcomes.includes(undefined)) return indexWork.continueAt(ctx, row, ctx.clock.now() + againAfterMs, notWhole)
  await removeRows(ctx, removals.map(memoryRemovals.key))
  if (outcomes.some((outcome) => outcome?.hasMore)) return indexWork.continueAt(ctx, row, ctx.clock.now(), notWhole)
  const whole = { set: { wholeAtCount: lease.memoryCount } }
  return indexWork.end(ctx, row, (await isWhole(ctx, lease, below)) ? whole : notWhole)
}

/**
 * Updates the indexes of a collection, and takes removed memories out of them. It can be interrupted and repeated: the
 * lease expires, and progress is stored as it is made.
 */
export const updateIndex = async (ctx: Context, message: IndexMessage): Promise<void> => {
  const lease = await takeLease(ctx, message)
  if (lease === undefined) return
  try {
    await update(ctx, lease, message)
  } catch (error) {
    if (!(error instanceof LeaseLost)) throw error
  }
}
