import { removeIndexFiles } from '../../aws/index-bucket.ts'
import { deleteVectors, sweepVectors, type VectorScope } from '../../aws/vectors.ts'
import type { Context } from '../../context.ts'
import { removeRows } from '../../db/bulk.ts'
import { allOf, begins, equal } from '../../db/expression.ts'
import { type Key, keyOf, queryAll } from '../../db/table.ts'
import { enginesOf } from './engine.ts'
import { folderOf } from './files.ts'
import { memoryIndexes, removalsOf } from './index-row.ts'

/** The memory that a row is, or whose removal it is; undefined for other rows. */
const memoryIdOf = ({ SK }: Key): string | undefined => /(?:^|#)(mem_\w+)$/.exec(SK)?.[1]

/**
 * Removes the vectors of memories before their rows are removed: by id, because a search for the rest is approximate.
 */
export const forgetVectors = async (ctx: Context, keys: readonly Key[]): Promise<void> => {
  if (!enginesOf(ctx).includes('vectors')) return
  await deleteVectors(
    ctx,
    keys.flatMap((key) => memoryIdOf(key) ?? []),
  )
}

/** Removes what a worker may have written after the rows were removed. */
const sweepAll = async (ctx: Context, scope: VectorScope) => {
  if (!enginesOf(ctx).includes('vectors')) return
  while ((await sweepVectors(ctx, scope)) > 0);
}

const removeAll = async (ctx: Context, folder: string) => {
  while ((await removeIndexFiles(ctx, folder)) > 0);
}

/**
 * Removes all search data of a collection, or of all collections of a workspace, except the rows. The caller has made
 * sure that no new lease is given, and calls this again when the last one has ended.
 */
export const forgetFiles = async (ctx: Context, workspaceId: string, collectionId?: string): Promise<void> => {
  await removeAll(ctx, folderOf(workspaceId, collectionId))
  await sweepAll(ctx, { workspaceId, ...(collectionId === undefined ? {} : { collectionIds: [collectionId] }) })
}

/** The same for one collection, with its rows. */
export const forgetCollection = async (ctx: Context, workspaceId: string, collectionId: string): Promise<void> => {
  const key = allOf(equal('PK', removalsOf(workspaceId)), begins('SK', `${collectionId}#`))
  let removals: Awaited<ReturnType<typeof queryAll>>
  do {
    removals = await queryAll(ctx, { key }, 500)
    await forgetVectors(ctx, removals.map(keyOf))
    await removeRows(ctx, removals.map(keyOf))
  } while (removals.length > 0)
  await forgetFiles(ctx, workspaceId, collectionId)
  await removeRows(ctx, [memoryIndexes.key({ workspaceId, id: collectionId })])
}
