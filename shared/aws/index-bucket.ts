import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import type { Context } from '../context.ts'
import { bucketClient, isGone } from './bucket.ts'
import { emptyBelow } from './remove-files.ts'

const run = <T>(ctx: Context, action: string, call: () => Promise<T>): Promise<T> =>
  ctx.observe({ service: 's3', action, resource: 'index' }, call)

const bucket = (ctx: Context) => ctx.env('INDEX_BUCKET')

/** An index file; undefined if it no longer exists. */
export const readIndexFile = (ctx: Context, key: string): Promise<Uint8Array | undefined> =>
  run(ctx, 'GetObject', async () => {
    try {
      const { Body } = await bucketClient(ctx).send(new GetObjectCommand({ Bucket: bucket(ctx), Key: key }))
      return await Body?.transformToByteArray()
    } catch (error) {
      if (isGone(error)) return undefined
      throw error
    }
  })

export const putIndexFile = async (ctx: Context, key: string, bytes: Uint8Array): Promise<void> => {
  const command = new PutObjectCommand({ Bucket: bucket(ctx), Key: key, Body: bytes, ContentType: 'application/gzip' })
  await run(ctx, 'PutObject', () => bucketClient(ctx).send(command))
}

/** Removes up to a thousand index files below a prefix, except the named one; returns how many. */
export const removeIndexFiles = (ctx: Context, prefix: string, but?: string): Promise<number> =>
  emptyBelow(ctx, bucket(ctx), (of, _key, action, call) => run(of, action, call), { prefix, but })
