import { DeleteObjectsCommand, ListObjectsV2Command } from '@aws-sdk/client-s3'
import type { Context } from '../context.ts'
import { bucketClient } from './bucket.ts'

const run = <T>(ctx: Context, action: string, call: () => Promise<T>): Promise<T> =>
  ctx.observe({ service: 's3', action, resource: 'media' }, call)

/** Removes up to a thousand files below a prefix, and answers how many these were; none are left where it answers 0. */
export const removeFilesBelow = async (ctx: Context, prefix: string): Promise<number> => {
  const Bucket = ctx.env('MEDIA_BUCKET')
  const { Contents = [] } = await run(ctx, 'ListObjectsV2', () =>
    bucketClient(ctx).send(new ListObjectsV2Command({ Bucket, Prefix: prefix })),
  )
  const Objects = Contents.flatMap(({ Key }) => (Key === undefined ? [] : [{ Key }]))
  if (Objects.length === 0) return 0
  const { Errors: [failed] = [] } = await run(ctx, 'DeleteObjects', () =>
    bucketClient(ctx).send(new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } })),
  )
  if (failed) throw new Error(`the bucket kept a file: ${failed.Code}`)
  return Objects.length
}
