import { GetObjectCommand } from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import type { Context } from '../context.ts'
import { bucketClient, objectOf, runOn } from './bucket.ts'

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
    ...objectOf(ctx, storageKey),
    ResponseContentDisposition: `attachment; filename="${filename}"`,
    ResponseCacheControl: 'no-store',
  })
  return runOn(ctx, storageKey, 'GetObject', () => getSignedUrl(bucketClient(ctx), command, { expiresIn }))
}
