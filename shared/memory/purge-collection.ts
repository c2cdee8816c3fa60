import * as z from 'zod/mini'
import type { Context } from '../context.ts'
import { removeRows } from '../db/bulk.ts'
import { ifCurrent } from '../db/condition-failed.ts'
import { present } from '../db/expression.ts'
import { keysOf } from '../db/partition.ts'
import { update } from '../db/table.ts'
import { minuteMs } from '../time.ts'
import { type Collection, collections } from './collection.ts'
import { memoriesOf } from './memory.ts'
import { forgetCollection, forgetVectors } from './search/forget.ts'

/** Asks for what was in a deleted collection to be removed. */
export const CollectionPurge = z.object({ workspaceId: z.string(), collectionId: z.string() })
export type CollectionPurge = z.infer<typeof CollectionPurge>

/** The last look comes so long after the deletion: no function of ours that began before it can still be running. */
const quietMs = 15 * minuteMs

/** What one invocation removes at most, well within its time; the sweeper sends the next one. */
const maxAtOnce = 10_000

/** Removes the memories; false where there are more than one invocation should remove. */
const removeMemories = async (ctx: Context, { workspaceId, id }: Collection, most: number): Promise<boolean> => {
  let removed = 0
  for await (const keys of keysOf(ctx, memoriesOf(workspaceId, id))) {
    await forgetVectors(ctx, keys)
    await removeRows(ctx, keys)
    removed += keys.length
    if (removed >= most) return false
  }
  return true
}

const comeBack = async (ctx: Context, collection: Collection, atMs: number) => {
  const change = { set: { sweepAtMs: atMs, sweepCount: 0 } }
  // The row is gone once another invocation has done all of it.
  await ifCurrent(update(ctx, collections.key(collection), change, present('deletedAtMs')))
}

/**
 * Removes what a deleted collection has left: at once, and once more when nobody can be writing any more. Each pass looks
 * for whatever is there, so it may die anywhere and be begun again. The collection's row goes last.
 */
export const purgeCollection = async (
  ctx: Context,
  { workspaceId, collectionId }: CollectionPurge,
  most: number = maxAtOnce,
): Promise<void> => {
  const collection = await collections.get(ctx, { workspaceId, id: collectionId })
  if (collection?.deletedAtMs === undefined) return
  const quietAtMs = collection.deletedAtMs + quietMs
  const isDone = await removeMemories(ctx, collection, most)
  if (!isDone) return comeBack(ctx, collection, ctx.clock.now())
  await forgetCollection(ctx, workspaceId, collectionId)
  if (ctx.clock.now() < quietAtMs) return comeBack(ctx, collection, quietAtMs)
  await removeRows(ctx, [collections.key(collection)])
}
