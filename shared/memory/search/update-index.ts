import { putIndexFile, removeIndexFiles } from '../../aws/index-bucket.ts'
import type { Context } from '../../context.ts'
import { removeRows } from '../../db/bulk.ts'
import { wasCurrent } from '../../db/condition-failed.ts'
import { absent, allOf, begins, equal, present } from '../../db/expression.ts'
import { type Claimed, LeaseLost, leaseFree, leaseOf } from '../../db/lease.ts'
import { queryAll, transact } from '../../db/table.ts'
import { ulid } from '../../ids.ts'
import { workspaces } from '../../workspaces/workspace.ts'
import { collections } from '../collection.ts'
import type { IndexMessage } from './enqueue-indexing.ts'
import { folderOf, loadSegment, packSegment } from './files.ts'
import { type MemoryIndex, type MemoryRemoval, memoryIndexes, memoryRemovals, removalsOf } from './index-row.ts'
import { indexWork } from './index-work.ts'
import { type Document, makeSegment } from './segment.ts'
import { documentOf, lowest, memoriesBetween, settledBelow } from './unindexed.ts'

/** The index row of a collection, held by the one worker that may change the index. */
type Leased = Claimed<MemoryIndex>

/** Takes the lease; undefined if another worker holds it, or the collection or its workspace is being deleted. */
export const takeLease = async (ctx: Context, message: IndexMessage): Promise<Leased | undefined> => {
  const { workspaceId, collectionId: id } = message
  const before = await memoryIndexes.get(ctx, { workspaceId, id })
  const nowMs = ctx.clock.now()
  const leaseToken = (before?.leaseToken ?? 0) + 1
  const row = { id, workspaceId, leaseToken }
  const isFree = allOf(equal('leaseToken', leaseToken - 1), leaseFree('leaseUntilMs', nowMs))
  const set = { type: memoryIndexes.type, ...row, ...leaseOf(id, nowMs, indexWork.worker.timeoutSeconds) }
  const taken = transact(ctx, () => [
    { check: workspaces.key({ id: workspaceId }), when: present('PK') },
    { check: collections.key({ workspaceId, id }), when: allOf(present('PK'), absent('deletedAtMs')) },
    { update: memoryIndexes.key(row), change: { set }, when: before ? isFree : absent('PK') },
  ])
  return (await wasCurrent(taken)) ? { ...before, ...row } : undefined
}

const maxRemovals = 5_000

const readRemovals = async (ctx: Context, { workspaceId, collectionId }: IndexMessage): Promise<MemoryRemoval[]> => {
  const key = allOf(equal('PK', removalsOf(workspaceId)), begins('SK', `${collectionId}#`))
  return memoryRemovals.readable(ctx, await queryAll(ctx, { key }, maxRemovals))
}

/** How many memories one run adds: even long ones fit into the worker's memory and time. */
const maxAtOnce = 2_000

/** Reading fewer new memories from the table is as fast as building an index file. */
const leastForFile = 50

/** The new memories, and the id below which all are read. */
const readNew = async (ctx: Context, row: Leased, from: string, below: string) => {
  const documents: Document[] = []
  for await (const page of memoriesBetween(ctx, row, from, below)) {
    for (const memory of page) {
      if (documents.length >= maxAtOnce) return { documents, mark: memory.id }
      documents.push(documentOf(ctx, memory))
    }
  }
  return { documents, mark: below }
}

/** Writes an index file without the removed memories; returns the row, and whether more is left than fits into one run. */
const build = async (ctx: Context, row: Leased, removed: readonly MemoryRemoval[]) => {
  // No new memory can get an id below this one, so that everything below can be indexed.
  const below = settledBelow(ctx.clock.now())
  const base = row.file === undefined ? undefined : await loadSegment(ctx, row.file)
  const from = base === undefined ? lowest : (row.fileMark ?? lowest)
  const { documents, mark } = await readNew(ctx, row, from, below)
  const gone = new Set(removed.map(({ memoryId }) => memoryId))
  const hasGone = base?.ids.some((id) => gone.has(id)) ?? false
  const isBroken = row.file !== undefined && base === undefined
  if (!hasGone && !isBroken && documents.length < leastForFile) return { row, hasMore: false }
  const segment = makeSegment(documents, base, gone)
  const file = `${folderOf(row.workspaceId, row.id)}${ulid(ctx.clock.now())}.gz`
  await putIndexFile(ctx, file, packSegment(segment))
  const set = { file, fileMark: mark, fileCount: segment.ids.length }
  return { row: await indexWork.save(ctx, row, { set }), hasMore: mark !== below }
}

const update = async (ctx: Context, leased: Leased, message: IndexMessage) => {
  const removals = await readRemovals(ctx, message)
  const { row, hasMore } = await build(ctx, leased, removals)
  // Includes files of an interrupted worker, with any removed memories in them.
  await removeIndexFiles(ctx, folderOf(row.workspaceId, row.id), row.file)
  await removeRows(ctx, removals.map(memoryRemovals.key))
  if (hasMore) await indexWork.continueAt(ctx, row, ctx.clock.now())
  else await indexWork.end(ctx, row)
}

/**
 * Updates the index of a collection, and takes removed memories out of it. It can be interrupted and repeated: the lease
 * expires, and progress is stored as it is made.
 */
export const updateIndex = async (ctx: Context, message: IndexMessage): Promise<void> => {
  const leased = await takeLease(ctx, message)
  if (leased === undefined) return
  try {
    await update(ctx, leased, message)
  } catch (error) {
    if (!(error instanceof LeaseLost)) throw error
  }
}
