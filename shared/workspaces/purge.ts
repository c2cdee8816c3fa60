import { removeFilesBelow } from '../aws/remove-files.ts'
import type { Context } from '../context.ts'
import { removeRows } from '../db/bulk.ts'
import { ifCurrent } from '../db/condition-failed.ts'
import { absent, any, equal, present } from '../db/expression.ts'
import { transact, update } from '../db/table.ts'
import { foldersOf } from '../media/reference.ts'
import { forgetFiles, forgetVectors } from '../memory/search/forget.ts'
import { deletions, type PurgeMessage, type WorkspaceDeletion } from './deletion.ts'
import { remainsOf } from './remains.ts'
import { slugKey } from './slug.ts'

/**
 * The last pass begins this long after the deletion. Decided: an hour, since a function that was let in before may
 * write for a minute, and an upload address is good for a quarter of an hour, and the upload may be slow.
 */
const quietMs = 60 * 60_000

/** What one invocation removes at most, well within its time; the sweeper sends the next one. */
const mostAtOnce = 10_000

/** Removes rows and files; false where there are more than one invocation should remove. */
const removeRemains = async (ctx: Context, workspaceId: string, isLast: boolean, most: number): Promise<boolean> => {
  let removed = 0
  for await (const keys of remainsOf(ctx, workspaceId, isLast)) {
    await forgetVectors(ctx, keys)
    await removeRows(ctx, keys)
    removed += keys.length
    if (removed >= most) return false
  }
  for (const prefix of foldersOf(workspaceId)) {
    let files: number
    do {
      files = await removeFilesBelow(ctx, prefix)
      removed += files
      if (removed >= most) return false
    } while (files > 0)
  }
  await forgetFiles(ctx, workspaceId)
  return true
}

const comeBack = async (ctx: Context, deletion: WorkspaceDeletion, atMs: number) => {
  const change = { set: { wakeAt: atMs, wakes: 0 } }
  // The row is gone once another invocation has done all of it.
  await ifCurrent(update(ctx, deletions.key(deletion), change, present('PK')))
}

/** Gives the slug back, and ends the work with it. */
const end = async (ctx: Context, deletion: WorkspaceDeletion) => {
  const { slug, workspaceId } = deletion
  const writes = [
    { delete: slugKey(slug), when: any(absent('PK'), equal('workspaceId', workspaceId)) },
    { delete: deletions.key(deletion), when: present('PK') },
  ]
  await ifCurrent(transact(ctx, () => writes))
}

/**
 * Removes what a deleted workspace has left: at once, and once more when nobody can be writing any more. Each pass looks
 * for whatever is there, so it may die anywhere and be begun again.
 */
export const purgeWorkspace = async (
  ctx: Context,
  { workspaceId }: PurgeMessage,
  most: number = mostAtOnce,
): Promise<void> => {
  const deletion = await deletions.get(ctx, { workspaceId })
  if (deletion === undefined) return
  const quietAtMs = deletion.requestedAtMs + quietMs
  const isLast = ctx.clock.now() >= quietAtMs
  const isDone = await removeRemains(ctx, workspaceId, isLast, most)
  if (!isDone) await comeBack(ctx, deletion, ctx.clock.now())
  else if (isLast) await end(ctx, deletion)
  else await comeBack(ctx, deletion, quietAtMs)
}
