import { hasChanged, headObject, isGone, readRange } from '../aws/bucket.ts'
import { copyFile } from '../aws/copy-file.ts'
import type { Context } from '../context.ts'
import type { Asset } from './asset.ts'
import type { MediaFacts } from './inspect/facts.ts'
import { openSource } from './inspect/source.ts'
import { inspectFile, inspectUpload, uploadChanged } from './inspect.ts'
import { openJob } from './job.ts'
import { incomingKeyOf } from './reference.ts'
import type { CompleteUploadRequest } from './requests.ts'

/**
 * A file lies at its place, but the upload can take it there no more: a completion at the same moment was faster, or an
 * earlier one died behind its copy. What lies there never changes, so it is what counts.
 */
const adopt = async (ctx: Context, { storageKey, mimeType }: CompleteUploadRequest): Promise<MediaFacts> => {
  const object = await headObject(ctx, storageKey)
  if (object === undefined) throw uploadChanged()
  const load = (from: number, to: number) => readRange(ctx, storageKey, from, to - 1, object.etag)
  return inspectFile(await openSource(object.fileSize, load), mimeType)
}

/**
 * Looks at an uploaded file and copies exactly that one to its place, where nothing is ever written over: whatever is
 * sent to the upload address later stays where nobody sees it.
 */
export const takeUpload = async (
  ctx: Context,
  asset: Pick<Asset, 'workspaceId' | 'id'>,
  request: CompleteUploadRequest,
): Promise<MediaFacts> => {
  const { storageKey, fileSize, mimeType } = request
  const from = incomingKeyOf(storageKey)
  const { etag, facts } = await inspectUpload(ctx, from, request)
  await openJob(ctx, { ...asset, storageKey })
  try {
    await copyFile(ctx, { from, etag, to: storageKey, fileSize, mimeType })
    return facts
  } catch (error) {
    if (hasChanged(error) || isGone(error)) return adopt(ctx, request)
    throw error
  }
}
