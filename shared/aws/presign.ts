import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { type Context, perContext } from '../context.ts'
import { bucketOptions, runOn } from './bucket.ts'
import { unlogged } from './client.ts'

/** Signs for the origin at which clients reach the bucket (`BUCKET_URL`), which is not always the one of functions. */
const signingClient = perContext((ctx) => unlogged(new S3Client({ ...bucketOptions(ctx), bucketEndpoint: true })))

/** The location of a file for that client, which takes the origin as the bucket. */
const locationOf = (ctx: Context, storageKey: string) => ({ Bucket: ctx.env('BUCKET_URL'), Key: storageKey })

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
    ...locationOf(ctx, storageKey),
    ContentType: mimeType,
    ContentLength: fileSize,
    ChecksumSHA256: checksum,
  })
  return runOn(ctx, storageKey, 'PutObject', () =>
    getSignedUrl(signingClient(ctx), command, { expiresIn: expiresSeconds, signableHeaders, unhoistableHeaders }),
  )
}

/**
 * A URL that downloads a file until it expires. A download that has started continues after that. Signed with the system
 * time, like every call.
 */
export const presignDownload = (
  ctx: Context,
  storageKey: string,
  filename: string,
  expiresIn: number,
): Promise<string> => {
  const command = new GetObjectCommand({
    ...locationOf(ctx, storageKey),
    ResponseContentDisposition: `attachment; filename="${filename}"`,
    ResponseCacheControl: 'no-store',
  })
  return runOn(ctx, storageKey, 'GetObject', () => getSignedUrl(signingClient(ctx), command, { expiresIn }))
}
