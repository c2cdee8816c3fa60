import { hasChanged, headObject, isGone, readRange, servedAs } from '../aws/bucket.ts'
import { copyFile } from '../aws/copy-file.ts'
import { joinFile } from '../aws/join-file.ts'
import type { Context } from '../context.ts'
import type { Asset } from './asset.ts'
import type { FileInfo } from './inspect/info.ts'
import { openSource } from './inspect/source.ts'
import { inspectFile, inspectUpload, isWhole, uploadChanged } from './inspect.ts'
import { createJob } from './job.ts'
import { incomingKeyOf, storageKeyOf } from './reference.ts'
import type { CompleteUploadRequest } from './requests.ts'
import { extensionOf, type MediaType } from './types.ts'

/** What is stored about an upload. */
export interface Accepted {
  storageKey: string
  mimeType: MediaType
  info: FileInfo
  fileSize: number
  /** Of the uploaded bytes, in hexadecimal; only if the upload was bound to it. */
  sha256?: string
  /** Whether it has no metadata about location, device, and person. */
  isClean: boolean
}

/**
 * Reads the metadata of a file that already exists at its key: a concurrent completion was first, or an earlier one failed
 * after its copy. A stored file never changes.
 */
const readStored = async (ctx: Context, storageKey: string, mimeType: MediaType): Promise<Accepted> => {
  const object = await headObject(ctx, storageKey)
  if (object === undefined) throw uploadChanged()
  const load = (from: number, to: number) => readRange(ctx, storageKey, { from, to: to - 1, etag: object.etag })
  const { fileSize } = object
  const { info, pieces } = await inspectFile(await openSource(fileSize, load), mimeType)
  return { storageKey, mimeType, info, fileSize, isClean: isWhole(pieces, fileSize) }
}

/**
 * Inspects an uploaded file and stores exactly these bytes, without metadata, at the key of their type, which is never overwritten.
 * Later uploads to the same URL are not served.
 */
export const acceptUpload = async (
  ctx: Context,
  asset: Pick<Asset, 'workspaceId' | 'id'>,
  request: CompleteUploadRequest,
): Promise<Accepted> => {
  const { fileSize } = request
  const from = incomingKeyOf(request.storageKey)
  const { etag, checksum, mimeType, info, pieces } = await inspectUpload(ctx, from, request)
  const storageKey = storageKeyOf(asset.workspaceId, asset.id, extensionOf(mimeType))
  const hash = checksum === undefined ? {} : { sha256: Buffer.from(checksum, 'base64').toString('hex') }
  const stored = { storageKey, mimeType, info, isClean: true, ...hash }
  await createJob(ctx, { ...asset, storageKey })
  const copy = { from, etag, to: storageKey, mimeType }
  try {
    if (isWhole(pieces, fileSize)) {
      await copyFile(ctx, { ...copy, fileSize })
      return { ...stored, fileSize }
    }
    const { ContentDisposition, CacheControl } = servedAs(mimeType)
    const storedAs = { ContentDisposition, CacheControl }
    return { ...stored, fileSize: await joinFile(ctx, { ...copy, pieces, storedAs, ifAbsent: true }) }
  } catch (error) {
    if (hasChanged(error) || isGone(error)) return { ...(await readStored(ctx, storageKey, mimeType)), ...hash }
    throw error
  }
}
