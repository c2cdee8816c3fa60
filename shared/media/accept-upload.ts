import { hasChanged, headObject, isGone, readRange } from '../aws/bucket.ts'
import { copyFile } from '../aws/copy-file.ts'
import type { Context } from '../context.ts'
import type { Asset } from './asset.ts'
import type { FileInfo } from './inspect/info.ts'
import { openSource } from './inspect/source.ts'
import { inspectFile, inspectUpload, uploadChanged } from './inspect.ts'
import { createJob } from './job.ts'
import { incomingKeyOf } from './reference.ts'
import type { CompleteUploadRequest } from './requests.ts'

/**
 * Reads the facts of a file that already exists at its key: a concurrent completion was first, or an earlier one failed
 * after its copy. A stored file never changes.
 */
const readStored = async (ctx: Context, { storageKey, mimeType }: CompleteUploadRequest): Promise<FileInfo> => {
  const object = await headObject(ctx, storageKey)
  if (object === undefined) throw uploadChanged()
  const load = (from: number, to: number) => readRange(ctx, storageKey, { from, to: to - 1, etag: object.etag })
  return inspectFile(await openSource(object.fileSize, load), mimeType)
}

/**
 * Inspects an uploaded file and copies exactly these bytes to their key, which is never overwritten. Later uploads to
 * the same URL are not served.
 */
export const acceptUpload = async (
  ctx: Context,
  asset: Pick<Asset, 'workspaceId' | 'id'>,
  request: CompleteUploadRequest,
): Promise<FileInfo> => {
  const { storageKey, fileSize, mimeType } = request
  const from = incomingKeyOf(storageKey)
  const { etag, info } = await inspectUpload(ctx, from, request)
  await createJob(ctx, { ...asset, storageKey })
  try {
    await copyFile(ctx, { from, etag, to: storageKey, fileSize, mimeType })
    return info
  } catch (error) {
    if (hasChanged(error) || isGone(error)) return readStored(ctx, request)
    throw error
  }
}
