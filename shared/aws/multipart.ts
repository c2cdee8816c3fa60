import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  type CompleteMultipartUploadCommandInput,
  CreateMultipartUploadCommand,
  type CreateMultipartUploadCommandInput,
  ListMultipartUploadsCommand,
  S3ServiceException,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3'
import type { Context } from '../context.ts'
import { bucketClient, copySourceOf, objectOf, runOn } from './bucket.ts'

/** A multipart upload that is not completed. */
export interface Upload {
  storageKey: string
  uploadId: string
}

/** A part that S3 has stored. */
export interface Part {
  number: number
  etag: string
}

/** Bytes of a file, end exclusive. */
export interface Range {
  from: number
  to: number
}

/** A piece of a new file: bytes, or a range of the source file. */
export type Piece = Uint8Array | Range

/**
 * One call copies this many bytes within a second or two, and many calls run concurrently: a file of 1 GiB is copied
 * long before a route must respond. A single CopyObject could take up to 5 GB, but its time grows with the file.
 */
export const maxCopyBytes = 64 * 1024 * 1024

/** The most parts of an upload (S3 guide, "Amazon S3 multipart upload limits"). */
export const maxParts = 10_000

const codeOf = (error: unknown) => (error instanceof S3ServiceException ? error.name : undefined)

/** Whether an upload was completed, aborted, or has another part than the one that was stored. */
export const isUploadLost = (error: unknown): boolean => ['NoSuchUpload', 'InvalidPart'].includes(codeOf(error) ?? '')

/** The headers of a stored file, as parameters of a command. */
export type StoredAs = Pick<CreateMultipartUploadCommandInput, 'CacheControl' | 'ContentDisposition' | 'Metadata'>

export const createUpload = (
  ctx: Context,
  storageKey: string,
  mimeType: string,
  more: StoredAs = {},
): Promise<string> =>
  runOn(ctx, storageKey, 'CreateMultipartUpload', async () => {
    const command = new CreateMultipartUploadCommand({ ...objectOf(ctx, storageKey), ContentType: mimeType, ...more })
    const { UploadId } = await bucketClient(ctx).send(command)
    if (UploadId === undefined) throw new Error('the multipart upload has no id')
    return UploadId
  })

/** Stores a part. Sent again, it replaces the earlier one. */
export const uploadPart = (
  ctx: Context,
  { storageKey, uploadId }: Upload,
  number: number,
  Body: Uint8Array,
): Promise<Part> =>
  runOn(ctx, storageKey, 'UploadPart', async () => {
    const upload = { ...objectOf(ctx, storageKey), UploadId: uploadId }
    const { ETag } = await bucketClient(ctx).send(new UploadPartCommand({ ...upload, PartNumber: number, Body }))
    if (ETag === undefined) throw new Error('the part has no ETag')
    return { number, etag: ETag }
  })

/** Copies a range of another file as a part. Fails if that file has changed (`hasChanged`). */
export const copyPart = (
  ctx: Context,
  { storageKey, uploadId }: Upload,
  number: number,
  source: { from: string; etag: string; range: Range },
): Promise<Part> =>
  runOn(ctx, storageKey, 'UploadPartCopy', async () => {
    const command = new UploadPartCopyCommand({
      ...objectOf(ctx, storageKey),
      UploadId: uploadId,
      PartNumber: number,
      ...copySourceOf(ctx, source),
      CopySourceRange: `bytes=${source.range.from}-${source.range.to - 1}`,
    })
    const { CopyPartResult } = await bucketClient(ctx).send(command)
    if (CopyPartResult?.ETag === undefined) throw new Error('the copied part has no ETag')
    return { number, etag: CopyPartResult.ETag }
  })

/** Assembles one file from the parts. Fails if one of them was replaced (`isUploadLost`). */
export const completeUpload = async (
  ctx: Context,
  { storageKey, uploadId }: Upload,
  parts: readonly Part[],
  more: Pick<CompleteMultipartUploadCommandInput, 'IfNoneMatch'> = {},
): Promise<void> => {
  const command = new CompleteMultipartUploadCommand({
    ...objectOf(ctx, storageKey),
    UploadId: uploadId,
    MultipartUpload: { Parts: parts.map(({ number, etag }) => ({ PartNumber: number, ETag: etag })) },
    ...more,
  })
  await runOn(ctx, storageKey, 'CompleteMultipartUpload', () => bucketClient(ctx).send(command))
}

const abort = async (ctx: Context, storageKey: string, UploadId: string): Promise<void> => {
  const command = new AbortMultipartUploadCommand({ ...objectOf(ctx, storageKey), UploadId })
  await runOn(ctx, storageKey, 'AbortMultipartUpload', () =>
    bucketClient(ctx)
      .send(command)
      .catch((error: unknown) => {
        // It was aborted or completed in the meantime.
        if (codeOf(error) !== 'NoSuchUpload') throw error
      }),
  )
}

/** Aborts an upload. */
export const abortUpload = (ctx: Context, { storageKey, uploadId }: Upload): Promise<void> =>
  abort(ctx, storageKey, uploadId)

/** Aborts all uploads below a prefix, including those whose ID was never stored. */
export const abortUploadsBelow = async (ctx: Context, prefix: string): Promise<void> => {
  for (;;) {
    const command = new ListMultipartUploadsCommand({ Bucket: ctx.env('MEDIA_BUCKET'), Prefix: prefix })
    const list = () => bucketClient(ctx).send(command)
    const { Uploads = [], IsTruncated } = await runOn(ctx, prefix, 'ListMultipartUploads', list)
    for (const { Key, UploadId } of Uploads) {
      if (Key !== undefined && UploadId !== undefined) await abort(ctx, Key, UploadId)
    }
    if (IsTruncated !== true) return
  }
}
