import { PutObjectCommand } from '@aws-sdk/client-s3'
import type { Context } from '../context.ts'
import { bucketClient, objectOf, runOn } from './bucket.ts'

/** Stores a file that fits into memory; replaces one of the same name. */
export const putFile = async (ctx: Context, storageKey: string, Body: Uint8Array, mimeType: string): Promise<void> => {
  const command = new PutObjectCommand({ ...objectOf(ctx, storageKey), Body, ContentType: mimeType })
  await runOn(ctx, storageKey, 'PutObject', () => bucketClient(ctx).send(command))
}
