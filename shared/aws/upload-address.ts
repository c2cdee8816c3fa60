import { PutObjectCommand } from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import type { Context } from '../context.ts'
import { bucketClient, placeOf, runOn } from './bucket.ts'

/** What an upload is bound to: another key, type or length is refused by S3 itself. */
export interface UploadBounds {
  storageKey: string
  mimeType: string
  fileSize: number
  expiresSeconds: number
}

/** Without this the type and the length are not signed, and S3 would take any. */
const signableHeaders = new Set(['host', 'content-type', 'content-length'])

/** An address that takes a PUT of exactly this file until it expires; signed with the machine's time, as every call. */
export const presignUpload = (
  ctx: Context,
  { storageKey, mimeType, fileSize, expiresSeconds }: UploadBounds,
): Promise<string> => {
  const command = new PutObjectCommand({
    ...placeOf(ctx, storageKey),
    ContentType: mimeType,
    ContentLength: fileSize,
  })
  return runOn(ctx, storageKey, 'PutObject', () =>
    getSignedUrl(bucketClient(ctx), command, { expiresIn: expiresSeconds, signableHeaders }),
  )
}
