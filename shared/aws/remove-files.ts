import { DeleteObjectsCommand, ListObjectsV2Command } from '@aws-sdk/client-s3'
import type { Context } from '../context.ts'
import { bucketClient, runOn } from './bucket.ts'

/** The keys of up to a thousand files below a prefix. */
const listFilesBelow = async (ctx: Context, prefix: string): Promise<string[]> => {
  const command = new ListObjectsV2Command({ Bucket: ctx.env('MEDIA_BUCKET'), Prefix: prefix })
  const { Contents = [] } = await runOn(ctx, prefix, 'ListObjectsV2', () => bucketClient(ctx).send(command))
  return Contents.flatMap(({ Key }) => (Key === undefined ? [] : [Key]))
}

/** Removes up to a thousand files by one call; those that are not there are no error. */
export const removeFiles = async (ctx: Context, keys: readonly string[]): Promise<void> => {
  const [first] = keys
  if (first === undefined) return
  const Delete = { Objects: keys.map((Key) => ({ Key })), Quiet: true }
  const command = new DeleteObjectsCommand({ Bucket: ctx.env('MEDIA_BUCKET'), Delete })
  const { Errors: [failed] = [] } = await runOn(ctx, first, 'DeleteObjects', () => bucketClient(ctx).send(command))
  if (failed) throw new Error(`the bucket kept a file: ${failed.Code}`)
}

/** Removes up to a thousand files below a prefix, and answers how many these were; none are left where it answers 0. */
export const removeFilesBelow = async (ctx: Context, prefix: string): Promise<number> => {
  const keys = await listFilesBelow(ctx, prefix)
  await removeFiles(ctx, keys)
  return keys.length
}
