import { abortUploadsBelow } from '../aws/multipart.ts'
import { removeFilesBelow } from '../aws/remove-files.ts'
import type { Context } from '../context.ts'
import { removeRows } from '../db/bulk.ts'
import { ifCurrent } from '../db/condition-failed.ts'
import { absent, anyOf, equal, present } from '../db/expression.ts'
import { transact, update } from '../db/table.ts'
import { exportFilesOf } from '../export/export.ts'
import { foldersOf } from '../media/reference.ts'
import { forgetFiles } from '../memory/search/forget.ts'
import { hourMs } from '../time.ts'
import { deletions, type PurgeMessage, type WorkspaceDeletion } from '../workspaces/deletion.ts'
import { slugKey } from '../workspaces/slug.ts'
import { workspaces } from '../workspaces/workspace.ts'
import { knownKeys, refund, remainingKeys } from './remaining-keys.ts'

/**
 * The last pass starts this long after the deletion. Decided: an hour, because a function that was admitted before can
 * write for a minute, and an upload URL is valid for 15 minutes, and the upload itself can be slow.
 */
const lastPassDelayMs = hourMs

/** The most rows and files that one run removes, well within its timeout. The sweeper starts the next run. */
const maxPerRun = 10_000

/** Nothing is returned to a workspace that is itself deleted. */
const refundPayer = async (ctx: Context, { workspaceId, payerId }: WorkspaceDeletion) => {
  if (payerId === undefined || (await workspaces.get(ctx, { id: payerId })) === undefined) return
  await refund(ctx, { workspaceId, payerId })
}

/** Removes rows and files; false if more remain than one run removes, in addition to the rows with known keys. */
const removeRemaining = async (ctx: Context, workspaceId: string, isLast: boolean, max: number): Promise<boolean> => {
  await removeRows(ctx, knownKeys(workspaceId))
  let removed = 0
  for await (const keys of remainingKeys(ctx, workspaceId, isLast)) {
    await removeRows(ctx, keys)
    removed += keys.length
    if (removed >= max) return false
  }
  for (const prefix of [...foldersOf(workspaceId), exportFilesOf(workspaceId)]) {
    let files: number
    do {
      files = await removeFilesBelow(ctx, prefix)
      removed += files
      if (removed >= max) return false
    } while (files > 0)
  }
  await abortUploadsBelow(ctx, exportFilesOf(workspaceId))
  await forgetFiles(ctx, workspaceId)
  return true
}

const scheduleNextPass = async (ctx: Context, deletion: WorkspaceDeletion, atMs: number) => {
  const change = { set: { sweepAtMs: atMs, sweepCount: 0 } }
  // The row no longer exists if another invocation has finished the work.
  await ifCurrent(update(ctx, deletions.key(deletion), change, present('PK')))
}

/** Releases the slug and ends the work. */
const end = async (ctx: Context, deletion: WorkspaceDeletion) => {
  const { slug, workspaceId } = deletion
  const writes = [
    { delete: slugKey(slug), when: anyOf(absent('PK'), equal('workspaceId', workspaceId)) },
    { delete: deletions.key(deletion), when: present('PK') },
  ]
  await ifCurrent(transact(ctx, () => writes))
}

/**
 * Removes what a deleted workspace leaves: immediately, and in a last pass when no function can be writing anymore. Each
 * pass starts from what it finds, so an interrupted pass is simply run again.
 */
export const purgeWorkspace = async (
  ctx: Context,
  { workspaceId }: PurgeMessage,
  max: number = maxPerRun,
): Promise<void> => {
  const deletion = await deletions.get(ctx, { workspaceId })
  if (deletion === undefined) return
  const quietAtMs = deletion.requestedAtMs + lastPassDelayMs
  const isLast = ctx.clock.now() >= quietAtMs
  await refundPayer(ctx, deletion)
  const isDone = await removeRemaining(ctx, workspaceId, isLast, max)
  if (!isDone) await scheduleNextPass(ctx, deletion, ctx.clock.now())
  else if (isLast) await end(ctx, deletion)
  else await scheduleNextPass(ctx, deletion, quietAtMs)
}
