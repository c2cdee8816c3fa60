import type { Context } from '../../context.ts'
import { removeRows } from '../../db/bulk.ts'
import { allOf, begins, equal } from '../../db/expression.ts'
import { LeaseLost } from '../../db/lease.ts'
import { queryAll } from '../../db/table.ts'
import type { Engine, IndexWork } from './engine.ts'
import { engines } from './engines.ts'
import type { IndexMessage } from './enqueue-indexing.ts'
import { type MemoryIndex, type MemoryRemoval, memoryRemovals, removalsOf } from './index-row.ts'
import { indexWork } from './index-work.ts'
import { type Lease, takeLease } from './lease.ts'
import { memoriesBetween, settledBelow } from './unindexed.ts'

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
