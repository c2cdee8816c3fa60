import { PutObjectCommand } from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import type { Context } from '../context.ts'
import { bucketClient, objectOf, runOn } from './bucket.ts'

/** What an upload URL is bound to: S3 rejects another key, type, or length, and other bytes than those of a hash. */
export interface UploadBounds {
  storageKey: string
  mimeType: string
  fileSize: number
  /** In base64. It must be sent as a header. */
  checksum?: string | undefined
  expiresSeconds: number
}

/** The header with which S3 compares the bytes that arrive. */
export const checksumHeader = 'x-amz-checksum-sha256'

/** By default type and length are not signed, and S3 would accept any. */
const signableHeaders = new Set(['host', 'content-type', 'content-length', checksumHeader])

/** By default it becomes a part of the URL, where S3 ignores it. */
const unhoistableHeaders = new Set([checksumHeader])

/** A URL that accepts a PUT of exactly this file until it expires; signed with the system time, like every call. */
export const presignUpload = (
  ctx: Context,
  { storageKey, mimeType, fileSize, checksum, expiresSeconds }: UploadBounds,
): Promise<string> => {
  const command = new PutObjectCommand({
    ...objectOf(ctx, storageKey),
    ContentType: mimeType,
    ContentLength: fileSize,
    ChecksumSHA256: checksum,
  })
  return runOn(ctx, storageKey, 'PutObject', () =>
    getSignedUrl(bucketClient(ctx), command, { expiresIn: expiresSeconds, signableHeaders, unhoistableHeaders }),
  )
}
