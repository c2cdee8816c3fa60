import type { Context } from '../context.ts'
import { batchGet } from '../db/table.ts'
import { assets } from './asset.ts'
import { jobs, type MediaMessage, patienceMs } from './job.ts'
import { abandon } from './job-transitions.ts'
import { makePreview } from './preview.ts'
import { finishRemoval } from './remove.ts'

/**
 * Finishes what a completion or deletion has left: the preview of a file, or its removal; a copy that never became an
 * asset is removed as well. It starts from what exists, so it can be interrupted and repeated.
 */
export const runMediaJob = async (ctx: Context, { workspaceId, assetId }: MediaMessage): Promise<void> => {
  const key = { workspaceId, id: assetId }
  const found = await batchGet(ctx, [jobs.key(key), assets.key(key)])
  const job = jobs.from(found, key)
  if (job === undefined) return
  if (job.removing) return finishRemoval(ctx, job)
  const asset = assets.from(found, key)
  if (asset) return makePreview(ctx, job, asset)
  // The completion may still be running.
  if (ctx.clock.now() < job.startedAtMs + patienceMs) return
  if (await abandon(ctx, job)) await finishRemoval(ctx, job)
}
