import { PutObjectCommand } from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import type { Context } from '../context.ts'
import { bucketClient, objectOf, runOn } from './bucket.ts'

/** What an upload URL is bound to: S3 rejects another key, type, or length. */
export interface UploadBounds {
  storageKey: string
  mimeType: string
  fileSize: number
  expiresSeconds: number
}

/** By default type and length are not signed, and S3 would accept any. */
const signableHeaders = new Set(['host', 'content-type', 'content-length'])

/** A URL that accepts a PUT of exactly this file until it expires; signed with the system time, like every call. */
export const presignUpload = (
  ctx: Context,
  { storageKey, mimeType, fileSize, expiresSeconds }: UploadBounds,
): Promise<string> => {
  const command = new PutObjectCommand({
    ...objectOf(ctx, storageKey),
    ContentType: mimeType,
    ContentLength: fileSize,
  })
  return runOn(ctx, storageKey, 'PutObject', () =>
    getSignedUrl(bucketClient(ctx), command, { expiresIn: expiresSeconds, signableHeaders }),
  )
}
