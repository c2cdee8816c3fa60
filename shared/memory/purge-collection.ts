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
import { forgetCollection } from './search/forget.ts'

/** The message to remove the memories of a deleted collection. */
export const CollectionPurge = z.object({ workspaceId: z.string(), collectionId: z.string() })
export type CollectionPurge = z.infer<typeof CollectionPurge>

/** The last pass starts this long after the deletion: no function that began before it can still be running. */
const lastPassDelayMs = 15 * minuteMs

/** The most that one invocation removes, well within its timeout; the sweeper starts the next one. */
const maxAtOnce = 10_000

/** Removes the memories; false if there are more than one invocation removes. */
const removeMemories = async (ctx: Context, { workspaceId, id }: Collection, max: number): Promise<boolean> => {
  let removed = 0
  for await (const keys of keysOf(ctx, memoriesOf(workspaceId, id))) {
    await removeRows(ctx, keys)
    removed += keys.length
    if (removed >= max) return false
  }
  return true
}

const comeBack = async (ctx: Context, collection: Collection, atMs: number) => {
  const change = { set: { sweepAtMs: atMs, sweepCount: 0 } }
  // The row no longer exists if another invocation has finished the work.
  await ifCurrent(update(ctx, collections.key(collection), change, present('deletedAtMs')))
}

/**
 * Removes what a deleted collection leaves: immediately, and again when no function can be writing. Each pass starts from
 * what exists, so it can be interrupted and repeated. The collection's row is removed last.
 */
export const purgeCollection = async (
  ctx: Context,
  { workspaceId, collectionId }: CollectionPurge,
  max: number = maxAtOnce,
): Promise<void> => {
  const collection = await collections.get(ctx, { workspaceId, id: collectionId })
  if (collection?.deletedAtMs === undefined) return
  const quietAtMs = collection.deletedAtMs + lastPassDelayMs
  const isDone = await removeMemories(ctx, collection, max)
  if (!isDone) return comeBack(ctx, collection, ctx.clock.now())
  await forgetCollection(ctx, workspaceId, collectionId)
  if (ctx.clock.now() < quietAtMs) return comeBack(ctx, collection, quietAtMs)
  await removeRows(ctx, [collections.key(collection)])
}
