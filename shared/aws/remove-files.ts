import { DeleteObjectsCommand, ListObjectsV2Command } from '@aws-sdk/client-s3'
import type { Context } from '../context.ts'
import { bucketClient, runOn } from './bucket.ts'

/** Runs a call to a bucket about a file or a prefix, visible to tests and traces. */
type Run = <T>(ctx: Context, key: string, action: string, call: () => Promise<T>) => Promise<T>

/** Removes up to a thousand files of a bucket in one call; missing files are not an error. */
const removeFrom = async (ctx: Context, Bucket: string, run: Run, keys: readonly string[]): Promise<void> => {
  const [first] = keys
  if (first === undefined) return
  const Delete = { Objects: keys.map((Key) => ({ Key })), Quiet: true }
  const command = new DeleteObjectsCommand({ Bucket, Delete })
  const { Errors: [failed] = [] } = await run(ctx, first, 'DeleteObjects', () => bucketClient(ctx).send(command))
  if (failed) throw new Error(`the bucket did not delete a file: ${failed.Code}`)
}

/** Removes up to a thousand files of a bucket below a prefix, except the named one; returns how many. */
export const emptyBelow = async (
  ctx: Context,
  Bucket: string,
  run: Run,
  { prefix, but }: { prefix: string; but?: string | undefined },
): Promise<number> => {
  const command = new ListObjectsV2Command({ Bucket, Prefix: prefix })
  const { Contents = [] } = await run(ctx, prefix, 'ListObjectsV2', () => bucketClient(ctx).send(command))
  const keys = Contents.flatMap(({ Key }) => (Key === undefined || Key === but ? [] : [Key]))
  await removeFrom(ctx, Bucket, run, keys)
  return keys.length
}

/** Removes up to a thousand media files in one call; missing files are not an error. */
export const removeFiles = (ctx: Context, keys: readonly string[]): Promise<void> =>
  removeFrom(ctx, ctx.env('MEDIA_BUCKET'), runOn, keys)

/** Removes up to a thousand media files below a prefix and returns how many; 0 means that none are left. */
export const removeFilesBelow = (ctx: Context, prefix: string): Promise<number> =>
  emptyBelow(ctx, ctx.env('MEDIA_BUCKET'), runOn, { prefix })
