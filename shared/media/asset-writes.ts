import { enqueueOrSweep } from '../aws/queue.ts'
import type { Context } from '../context.ts'
import { absent } from '../db/expression.ts'
import type { Write } from '../db/table.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import { type Asset, assets } from './asset.ts'
import { isNotRemoving, jobs, type MediaMessage } from './job.ts'
import { moveStorage } from './storage.ts'
import { isImage } from './types.ts'

/**
 * The write that ends the job of a video or a document; the job of an image stays until its preview exists. Fails if a
 * deletion has begun.
 */
const jobWriteFor = (asset: Asset): Write =>
  isImage(asset.mimeType)
    ? { as: 'job', check: jobs.key(asset), when: isNotRemoving }
    : { as: 'job', delete: jobs.key(asset), when: isNotRemoving }

/** The writes that add a stored file, which has a job, to the library. */
export const assetWrites = (asset: Asset): Write[] => [
  { put: assets.item(asset), when: absent('PK') },
  jobWriteFor(asset),
]

/** The writes that count a new file and its bytes, for each try of their transaction. */
export const assetCounts = (workspace: Workspace, { fileSize }: Asset): Write[] =>
  moveStorage(workspace, { files: 1, bytes: fileSize })

/** Requests the preview of an image; the sweeper requests a lost one. */
export const requestPreview = async (ctx: Context, asset: Asset): Promise<void> => {
  const { workspaceId, id: assetId } = asset
  const body: MediaMessage = { workspaceId, assetId }
  if (isImage(asset.mimeType)) await enqueueOrSweep(ctx, 'preview', { body, group: workspaceId })
}
