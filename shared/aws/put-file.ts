import { PutObjectCommand } from '@aws-sdk/client-s3'
import type { Context } from '../context.ts'
import { bucketClient, objectOf, runOn, servedAs } from './bucket.ts'

/** Stores a file that fits into memory; replaces one of the same name. */
export const putFile = async (ctx: Context, storageKey: string, Body: Uint8Array, mimeType: string): Promise<void> => {
  const command = new PutObjectCommand({ ...objectOf(ctx, storageKey), Body, ContentType: mimeType })
  await runOn(ctx, storageKey, 'PutObject', () => bucketClient(ctx).send(command))
}

/** Stores a file of the library that fits into memory; replaces none (`hasChanged`). */
export const putLibraryFile = async (
  ctx: Context,
  storageKey: string,
  Body: Uint8Array,
  mimeType: string,
): Promise<void> => {
  const command = new PutObjectCommand({
    ...objectOf(ctx, storageKey),
    ...servedAs(mimeType),
    Body,
    IfNoneMatch: '*',
  })
  await runOn(ctx, storageKey, 'PutObject', () => bucketClient(ctx).send(command))
}
