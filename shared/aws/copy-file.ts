import { CopyObjectCommand } from '@aws-sdk/client-s3'
import type { Context } from '../context.ts'
import { bucketClient, copySourceOf, objectOf, runOn, servedAs } from './bucket.ts'
import { abortUpload, completeUpload, copyPart, createUpload, maxCopyBytes } from './multipart.ts'

/** A file to copy: only if it still has this ETag, and only if the target does not exist. */
export interface FileCopy {
  from: string
  etag: string
  to: string
  fileSize: number
  mimeType: string
}

const copyWhole = async (ctx: Context, copy: FileCopy): Promise<void> => {
  const command = new CopyObjectCommand({
    ...objectOf(ctx, copy.to),
    ...copySourceOf(ctx, copy),
    ...servedAs(copy.mimeType),
    MetadataDirective: 'REPLACE',
    IfNoneMatch: '*',
  })
  await runOn(ctx, copy.to, 'CopyObject', () => bucketClient(ctx).send(command))
}

const copyInParts = async (ctx: Context, copy: FileCopy, bytes: number): Promise<void> => {
  const { to: storageKey, fileSize, mimeType } = copy
  const upload = { storageKey, uploadId: await createUpload(ctx, storageKey, mimeType, servedAs(mimeType)) }
  const count = Math.ceil(fileSize / bytes)
  const rangeOf = (n: number) => ({ from: n * bytes, to: Math.min((n + 1) * bytes, fileSize) })
  try {
    const copied = Array.from({ length: count }, (_, n) => copyPart(ctx, upload, n + 1, { ...copy, range: rangeOf(n) }))
    await completeUpload(ctx, upload, await Promise.all(copied), { IfNoneMatch: '*' })
  } catch (error) {
    // The bucket deletes aborted parts after a day.
    await abortUpload(ctx, upload).catch(() => undefined)
    throw error
  }
}

/** Copies a file within the bucket; fails if it has changed or if the target exists (`hasChanged`). */
export const copyFile = (ctx: Context, copy: FileCopy, bytes = maxCopyBytes): Promise<void> =>
  copy.fileSize <= bytes ? copyWhole(ctx, copy) : copyInParts(ctx, copy, bytes)
