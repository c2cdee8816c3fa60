import { isGone, readObject, removeObject } from '../aws/bucket.ts'
import { putDerived } from '../aws/derived-file.ts'
import type { Context } from '../context.ts'
import { wasCurrent } from '../db/condition-failed.ts'
import { present } from '../db/expression.ts'
import { transact } from '../db/table.ts'
import { type Asset, assets } from './asset.ts'
import { ImageError, type ImageFailure } from './convert/image-job.ts'
import { makeImage } from './convert/image-process.ts'
import { deleteJob, isNotRemoving, jobs, type MediaJob, startAttempt } from './job.ts'
import { oneAtATime } from './one-at-a-time.ts'
import { previewKeyOf } from './reference.ts'

/** An image that crashes the worker once, for example because of too little memory, crashes it again. */
const maxTries = 5

type Outcome = Pick<Asset, 'previewKey' | 'previewError'>

const givenUp: Outcome = { previewError: `no preview after ${maxTries} tries` }

const enqueue = oneAtATime()

const unreadable = 'the image cannot be read'
const previewErrors: Readonly<Record<Exclude<ImageFailure['why'], 'late'>, string>> = {
  damaged: unreadable,
  pixels: unreadable,
  crashed: unreadable,
  time: 'reading the image takes too long',
  memory: 'reading the image takes too much memory',
}

const readFile = async (ctx: Context, storageKey: string): Promise<Uint8Array | undefined> => {
  try {
    return await readObject(ctx, storageKey)
  } catch (error) {
    if (isGone(error)) return undefined
    throw error
  }
}

/** Creates the preview and stores it; an unreadable image stays unreadable. */
const storePreview = async (ctx: Context, { id, workspaceId, storageKey }: Asset): Promise<Outcome> => {
  const bytes = await readFile(ctx, storageKey)
  if (bytes === undefined) return { previewError: 'the file no longer exists' }
  const previewKey = previewKeyOf(workspaceId, id)
  try {
    await putDerived(ctx, previewKey, await makeImage({ kind: 'preview', bytes }))
    return { previewKey }
  } catch (error) {
    if (!(error instanceof ImageError) || error.failure.why === 'late') throw error
    ctx.log.warn('an image has no preview', { assetId: id, reason: error.message })
    return { previewError: previewErrors[error.failure.why] }
  }
}

/** Stores the outcome and deletes the job. Also deletes the preview of a file that was deleted in the meantime. */
const finish = async (ctx: Context, job: MediaJob, outcome: Outcome): Promise<void> => {
  const isFinished = await wasCurrent(
    transact(ctx, () => [
      { update: assets.key(job), change: { set: outcome }, when: present('PK') },
      { delete: jobs.key(job), when: isNotRemoving },
    ]),
  )
  if (isFinished || !outcome.previewKey) return
  if (!(await assets.get(ctx, job))) await removeObject(ctx, outcome.previewKey)
}

/** Creates the preview of an image once; if that is impossible, the row stores why and the image is shown unchanged. */
export const makePreview = async (ctx: Context, job: MediaJob, asset: Asset): Promise<void> => {
  const isDone = asset.previewKey !== undefined || asset.previewError !== undefined
  if (isDone || !asset.mimeType.startsWith('image/')) return deleteJob(ctx, job)
  const tries = await startAttempt(ctx, job)
  if (tries === undefined) return
  await finish(ctx, job, tries > maxTries ? givenUp : await enqueue(ctx, () => storePreview(ctx, asset)))
}
