import type { Context } from '../../context.ts'
import type { Pace } from '../../media/imports/fetch-file.ts'
import { imports } from '../../media/imports/import.ts'
import { runImport } from '../../media/imports/run.ts'
import { finishImport, type ImportMessage } from '../../media/imports/work.ts'
import { startImported } from '../dispatch/schedule.ts'
import { posts } from '../lifecycle/row.ts'
import { scheduledWith } from '../reading/scheduled-with.ts'
import { finishImports } from './finish.ts'

/** How often a post is read again that others change at the same time. */
const maxReads = 5

const finishPost = async (ctx: Context, workspaceId: string, id: string): Promise<void> => {
  for (let n = 0; n < maxReads; n += 1) {
    const post = await posts.get(ctx, { workspaceId, id })
    if (post?.status !== 'scheduled') return
    const after = await finishImports(ctx, post)
    // While an attempt is looked up the post cannot change; its publisher settles it.
    if (after === undefined) continue
    if (after.pendingImports === undefined) await startImported(ctx, after)
    return
  }
}

/**
 * Runs one try of an import. Every post that waits for the file gets the result, and continues if the import has ended and
 * the post is due.
 */
export const importForPosts = async (ctx: Context, message: ImportMessage, pace?: Partial<Pace>): Promise<void> => {
  const { workspaceId, assetId } = message
  const waiting = () => scheduledWith(ctx, workspaceId, assetId)
  const isNeeded = async () => (await waiting()).length > 0
  await runImport(ctx, message, { isNeeded, pace })
  const tried = await imports.get(ctx, { workspaceId, id: assetId })
  if (tried?.sweepAtMs === undefined || (tried.status === 'pending' && tried.error === undefined)) return
  for (const id of await waiting()) await finishPost(ctx, workspaceId, id)
  if (tried.status !== 'pending') await finishImport(ctx, tried)
}
