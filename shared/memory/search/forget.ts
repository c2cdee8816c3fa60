import { removeIndexFiles } from '../../aws/index-bucket.ts'
import type { Context } from '../../context.ts'
import { removeRows } from '../../db/bulk.ts'
import { allOf, begins, equal } from '../../db/expression.ts'
import { keyOf, queryAll } from '../../db/table.ts'
import { folderOf } from './files.ts'
import { memoryIndexes, removalsOf } from './index-row.ts'

/**
 * Removes the index files of a collection, or of all collections of a workspace. The caller has made sure that no new
 * lease is given, and calls this again when the last one has ended.
 */
export const forgetFiles = async (ctx: Context, workspaceId: string, collectionId?: string): Promise<void> => {
  while ((await removeIndexFiles(ctx, folderOf(workspaceId, collectionId))) > 0);
}

/** The same for one collection, with its rows. */
export const forgetCollection = async (ctx: Context, workspaceId: string, collectionId: string): Promise<void> => {
  const key = allOf(equal('PK', removalsOf(workspaceId)), begins('SK', `${collectionId}#`))
  let removals: Awaited<ReturnType<typeof queryAll>>
  do {
    removals = await queryAll(ctx, { key }, 500)
    await removeRows(ctx, removals.map(keyOf))
  } while (removals.length > 0)
  await forgetFiles(ctx, workspaceId, collectionId)
  await removeRows(ctx, [memoryIndexes.key({ workspaceId, id: collectionId })])
}
