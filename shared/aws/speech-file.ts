import { PutObjectCommand } from '@aws-sdk/client-s3'
import type { Context } from '../context.ts'
import { bucketClient, objectOf, runOn } from './bucket.ts'

/** Stores a recording that was sent with a request. It is not served, and expires after a day. */
export const putSpeech = async (
  ctx: Context,
  storageKey: string,
  bytes: Uint8Array,
  mimeType: string,
): Promise<void> => {
  const command = new PutObjectCommand({ ...objectOf(ctx, storageKey), Body: bytes, ContentType: mimeType })
  await runOn(ctx, storageKey, 'PutObject', () => bucketClient(ctx).send(command))
}
