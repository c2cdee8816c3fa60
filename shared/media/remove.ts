import * as z from 'zod/mini'
import { orLeaveToSweeper } from '../aws/queue.ts'
import { removeFiles, removeFilesBelow } from '../aws/remove-files.ts'
import type { Context } from '../context.ts'
import { conditionFailed } from '../db/condition-failed.ts'
import { present } from '../db/expression.ts'
import { batchGet, transact } from '../db/table.ts'
import { Refusal } from '../errors/refusal.ts'
import { described } from '../http/described.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import { type Asset, assetNotFound, assets } from './asset.ts'
import { abandon, deleteJob, jobs, type MediaJob, type MediaMessage, removal, timeoutMs } from './job.ts'
import { makePreview } from './preview.ts'
import { derivedFrom, previewKeyOf } from './reference.ts'
import { moveStorage } from './storage.ts'

/** The response to a deletion; `postIds` lists the scheduled posts that used the file. */
export const Deleted = z.object({
  id: described(z.string(), 'The ID of the file, `med_…`.'),
  deleted: described(z.literal(true), 'Always true.'),
  postIds: described(
    z.optional(z.array(z.string())),
    'The IDs of the scheduled posts that used the file. Absent if none did.',
  ),
})

const inUse = (postIds: readonly string[]) => {
  const text = 'Scheduled posts use this file. Cancel or change them first, or delete it with ?force=true.'
  return new Refusal('conflict', text, { code: 'media_in_use', extra: { postIds } })
}

/** Deletes a file with its preview and its converted copies, then the job. */
const finishRemoval = async (
  ctx: Context,
  { workspaceId, id, storageKey }: Pick<MediaJob, 'workspaceId' | 'id' | 'storageKey'>,
): Promise<void> => {
  await Promise.all([
    removeFiles(ctx, [storageKey, previewKeyOf(workspaceId, id)]),
    removeFilesBelow(ctx, derivedFrom(workspaceId, id)),
  ])
  await deleteJob(ctx, { workspaceId, id, removing: true })
}

/**
 * Deletes a file from the gallery and the bucket. A file of scheduled posts (`postIds`) is deleted only with `force`.
 */
export const removeAsset = async (
  ctx: Context,
  workspace: Workspace,
  asset: Asset,
  { postIds, force }: { postIds: readonly string[]; force: boolean },
): Promise<z.infer<typeof Deleted>> => {
  const { id } = asset
  if (postIds.length > 0 && !force) throw inUse(postIds)
  try {
    await transact(ctx, () => [
      { as: 'asset', delete: assets.key(asset), when: present('PK') },
      removal(asset, ctx.clock.now()),
      ...moveStorage(workspace, { files: -1, bytes: -asset.fileSize }),
    ])
  } catch (error) {
    if (conditionFailed(error, 'asset')) throw assetNotFound(id)
    throw error
  }
  await orLeaveToSweeper(ctx, { assetId: id }, () => finishRemoval(ctx, asset))
  return { id, deleted: true, ...(postIds.length > 0 ? { postIds: [...postIds] } : {}) }
}

/**
 * Finishes what a completion or deletion has left: the preview of a file, or its removal; a copy that never became an asset
 * is removed as well. It starts from the current state, so it can be interrupted and repeated.
 */
export const runMediaJob = async (ctx: Context, { workspaceId, assetId }: MediaMessage): Promise<void> => {
  const key = { workspaceId, id: assetId }
  const rows = await batchGet(ctx, [jobs.key(key), assets.key(key)])
  const job = jobs.from(rows, key)
  if (job === undefined) return
  if (job.removing) return finishRemoval(ctx, job)
  const asset = assets.from(rows, key)
  if (asset) return makePreview(ctx, job, asset)
  // The completion may still be running.
  if (ctx.clock.now() < job.startedAtMs + timeoutMs) return
  if (await abandon(ctx, job)) await finishRemoval(ctx, job)
}
