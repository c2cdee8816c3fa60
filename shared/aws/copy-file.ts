import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3'
import type { Context } from '../context.ts'
import { bucketClient, cacheControl, objectOf, runOn } from './bucket.ts'

/** A file to copy: only if it still has this ETag, and only if the target does not exist. */
export interface FileCopy {
  from: string
  etag: string
  to: string
  fileSize: number
  mimeType: string
}

/**
 * One call copies this many bytes within a second or two, and many calls run concurrently: a file of 1 GiB is copied
 * long before a route must respond. A single CopyObject could take up to 5 GB, but its time grows with the file.
 */
const partBytes = 64 * 1024 * 1024

// A copy sets its own metadata: none from the upload is copied.
const ownMetadata = ({ mimeType }: FileCopy) => ({
  ContentType: mimeType,
  // A document can have links and scripts: it is saved, and not opened as a page of the media host.
  ContentDisposition: mimeType.startsWith('application/') ? 'attachment' : 'inline',
  CacheControl: cacheControl,
})

const sourceOf = (ctx: Context, { from, etag }: FileCopy) => ({
  CopySource: `${ctx.env('MEDIA_BUCKET')}/${from}`,
  CopySourceIfMatch: etag,
})

const copyWhole = async (ctx: Context, copy: FileCopy): Promise<void> => {
  const command = new CopyObjectCommand({
    ...objectOf(ctx, copy.to),
    ...sourceOf(ctx, copy),
    ...ownMetadata(copy),
    MetadataDirective: 'REPLACE',
    IfNoneMatch: '*',
  })
  await runOn(ctx, copy.to, 'CopyObject', () => bucketClient(ctx).send(command))
}

const copyParts = async (ctx: Context, copy: FileCopy, UploadId: string, bytes: number): Promise<void> => {
  const upload = { ...objectOf(ctx, copy.to), UploadId }
  const count = Math.ceil(copy.fileSize / bytes)
  const Parts = await Promise.all(
    Array.from({ length: count }, async (_, n) => {
      const PartNumber = n + 1
      const CopySourceRange = `bytes=${n * bytes}-${Math.min((n + 1) * bytes, copy.fileSize) - 1}`
      const command = new UploadPartCopyCommand({ ...upload, ...sourceOf(ctx, copy), PartNumber, CopySourceRange })
      const answer = await runOn(ctx, copy.to, 'UploadPartCopy', () => bucketClient(ctx).send(command))
      return { PartNumber, ETag: answer.CopyPartResult?.ETag }
    }),
  )
  const command = new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts }, IfNoneMatch: '*' })
  await runOn(ctx, copy.to, 'CompleteMultipartUpload', () => bucketClient(ctx).send(command))
}

const copyInParts = async (ctx: Context, copy: FileCopy, bytes: number): Promise<void> => {
  const start = new CreateMultipartUploadCommand({ ...objectOf(ctx, copy.to), ...ownMetadata(copy) })
  const { UploadId } = await runOn(ctx, copy.to, 'CreateMultipartUpload', () => bucketClient(ctx).send(start))
  if (UploadId === undefined) throw new Error('the multipart copy has no id')
  try {
    await copyParts(ctx, copy, UploadId, bytes)
  } catch (error) {
    // The bucket deletes aborted parts after a day.
    const abort = new AbortMultipartUploadCommand({ ...objectOf(ctx, copy.to), UploadId })
    await runOn(ctx, copy.to, 'AbortMultipartUpload', () => bucketClient(ctx).send(abort)).catch(() => undefined)
    throw error
  }
}

/** Copies a file within the bucket; fails if it has changed or if the target exists (`hasChanged`). */
export const copyFile = (ctx: Context, copy: FileCopy, bytes = partBytes): Promise<void> =>
  copy.fileSize <= bytes ? copyWhole(ctx, copy) : copyInParts(ctx, copy, bytes)
