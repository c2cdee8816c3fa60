import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  S3ServiceException,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import type { Context } from '../context.ts'
import { bucketClient, objectOf, runOn } from './bucket.ts'

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

/** The most parts of an upload (S3 guide, "Amazon S3 multipart upload limits"). */
export const maxParts = 10_000

const codeOf = (error: unknown) => (error instanceof S3ServiceException ? error.name : undefined)

/** Whether an upload was completed, aborted, or has another part than the one that was stored. */
export const isUploadLost = (error: unknown): boolean => ['NoSuchUpload', 'InvalidPart'].includes(codeOf(error) ?? '')

export const createUpload = (ctx: Context, storageKey: string, mimeType: string): Promise<string> =>
  runOn(ctx, storageKey, 'CreateMultipartUpload', async () => {
    const command = new CreateMultipartUploadCommand({ ...objectOf(ctx, storageKey), ContentType: mimeType })
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

/** Makes one file of the parts. Fails if one of them was replaced (`isUploadLost`). */
export const completeUpload = async (
  ctx: Context,
  { storageKey, uploadId }: Upload,
  parts: readonly Part[],
): Promise<void> => {
  const command = new CompleteMultipartUploadCommand({
    ...objectOf(ctx, storageKey),
    UploadId: uploadId,
    MultipartUpload: { Parts: parts.map(({ number, etag }) => ({ PartNumber: number, ETag: etag })) },
  })
  await runOn(ctx, storageKey, 'CompleteMultipartUpload', () => bucketClient(ctx).send(command))
}

const abort = async (ctx: Context, storageKey: string, UploadId: string): Promise<void> => {
  const command = new AbortMultipartUploadCommand({ ...objectOf(ctx, storageKey), UploadId })
  await runOn(ctx, storageKey, 'AbortMultipartUpload', () =>
    bucketClient(ctx)
      .send(command)
      .catch((error: unknown) => {
        // It was aborted or completed meanwhile.
        if (codeOf(error) !== 'NoSuchUpload') throw error
      }),
  )
}

/** Aborts an upload. */
export const abortUpload = (ctx: Context, { storageKey, uploadId }: Upload): Promise<void> =>
  abort(ctx, storageKey, uploadId)

/** Aborts all uploads below a prefix, also those whose id nobody has stored. */
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
