import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  NoSuchKey,
  NotFound,
  S3Client,
} from '@aws-sdk/client-s3'
import { type Context, perContext } from '../context.ts'

/**
 * The client of the media bucket. Only what S3 demands is summed: a presigned address would else carry the checksum of
 * nothing (aws-sdk-js-v3 issue 6994), and sums over read files are computed in script.
 */
export const bucketClient = perContext(
  () => new S3Client({ requestChecksumCalculation: 'WHEN_REQUIRED', responseChecksumValidation: 'WHEN_REQUIRED' }),
)

/** Where a file lies, in the words of a command. */
export const placeOf = (ctx: Context, storageKey: string) => ({ Bucket: ctx.env('MEDIA_BUCKET'), Key: storageKey })

const run = <T>(ctx: Context, action: string, call: () => Promise<T>): Promise<T> =>
  ctx.observe({ service: 's3', action, resource: 'media' }, call)

const download = (ctx: Context, storageKey: string, range?: string): Promise<Uint8Array> =>
  run(ctx, 'GetObject', async () => {
    const command = new GetObjectCommand({ ...placeOf(ctx, storageKey), ...(range ? { Range: range } : {}) })
    const { Body } = await bucketClient(ctx).send(command)
    if (Body === undefined) throw new Error(`the file ${storageKey} came without a body`)
    return Body.transformToByteArray()
  })

/** Whether a read failed because the file is not there any more. */
export const isGone = (error: unknown): boolean => error instanceof NoSuchKey || error instanceof NotFound

/** The whole file; for files that fit into memory. */
export const readObject = (ctx: Context, storageKey: string): Promise<Uint8Array> => download(ctx, storageKey)

/** The bytes from one place to another, both inclusive; fewer where the file ends earlier. */
export const readRange = (ctx: Context, storageKey: string, from: number, to: number): Promise<Uint8Array> =>
  download(ctx, storageKey, `bytes=${from}-${to}`)

/** The bytes from one place to another, both inclusive, as they arrive: for files that do not fit into memory. */
export const streamRange = async function* (
  ctx: Context,
  storageKey: string,
  from: number,
  to: number,
): AsyncGenerator<Uint8Array> {
  const command = new GetObjectCommand({ ...placeOf(ctx, storageKey), Range: `bytes=${from}-${to}` })
  const { Body } = await run(ctx, 'GetObject', () => bucketClient(ctx).send(command))
  if (Body === undefined) throw new Error(`the file ${storageKey} came without a body`)
  // The SDK's type names every runtime's stream; in Node it is a Readable.
  yield* Body as AsyncIterable<Uint8Array>
}

/** What is known of a file without reading it; undefined where there is none. */
export const headObject = (ctx: Context, storageKey: string): Promise<{ fileSize: number } | undefined> =>
  run(ctx, 'HeadObject', async () => {
    try {
      const answer = await bucketClient(ctx).send(new HeadObjectCommand(placeOf(ctx, storageKey)))
      return { fileSize: answer.ContentLength ?? 0 }
    } catch (error) {
      if (error instanceof NotFound) return undefined
      throw error
    }
  })

/** Removes a file; one that is not there is no error. */
export const removeObject = async (ctx: Context, storageKey: string): Promise<void> => {
  await run(ctx, 'DeleteObject', () => bucketClient(ctx).send(new DeleteObjectCommand(placeOf(ctx, storageKey))))
}
