import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  NoSuchKey,
  NotFound,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import { type Context, perContext } from '../context.ts'
import { incomingPrefix } from '../resources.ts'
import { unlogged } from './client.ts'

/**
 * The client of the media bucket. Only what S3 demands is summed: a presigned address would else carry the checksum of
 * nothing (aws-sdk-js-v3 issue 6994), and sums over read files are computed in script.
 */
export const bucketClient = perContext(() =>
  unlogged(
    new S3Client({
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      // Files take longer than rows, but no longer than half of the function.
      requestHandler: { connectionTimeout: 2_000, requestTimeout: 20_000, throwOnRequestTimeout: true },
    }),
  ),
)

/** Where a file lies, in the words of a command. */
export const placeOf = (ctx: Context, storageKey: string) => ({ Bucket: ctx.env('MEDIA_BUCKET'), Key: storageKey })

/** What lies behind an address never changes; a deleted file may be seen for this long where it was kept. */
export const cacheControl = 'public, max-age=86400, immutable'

/** A call to the bucket about one file, as tests and traces see it. */
export const runOn = <T>(ctx: Context, storageKey: string, action: string, call: () => Promise<T>): Promise<T> =>
  ctx.observe({ service: 's3', action, resource: storageKey.startsWith(incomingPrefix) ? 'incoming' : 'media' }, call)

const download = (ctx: Context, storageKey: string, range?: string, etag?: string): Promise<Uint8Array> =>
  runOn(ctx, storageKey, 'GetObject', async () => {
    const bounds = { ...(range ? { Range: range } : {}), ...(etag ? { IfMatch: etag } : {}) }
    const command = new GetObjectCommand({ ...placeOf(ctx, storageKey), ...bounds })
    const { Body } = await bucketClient(ctx).send(command)
    if (Body === undefined) throw new Error(`the file ${storageKey} came without a body`)
    return Body.transformToByteArray()
  })

/** Whether a read failed because the file is not there any more. */
export const isGone = (error: unknown): boolean => error instanceof NoSuchKey || error instanceof NotFound

/** Whether a call failed because the file is not the one that its ETag names, or because another lies in its place. */
export const hasChanged = (error: unknown): boolean =>
  error instanceof S3ServiceException && error.$metadata.httpStatusCode === 412

/** The whole file; for files that fit into memory. */
export const readObject = (ctx: Context, storageKey: string): Promise<Uint8Array> => download(ctx, storageKey)

/** The bytes from one place to another, both inclusive; fewer where the file ends earlier. With an ETag, of that file only. */
export const readRange = (
  ctx: Context,
  storageKey: string,
  from: number,
  to: number,
  etag?: string,
): Promise<Uint8Array> => download(ctx, storageKey, `bytes=${from}-${to}`, etag)

/** The bytes from one place to another, both inclusive, as they arrive: for files that do not fit into memory. */
export const streamRange = async function* (
  ctx: Context,
  storageKey: string,
  from: number,
  to: number,
): AsyncGenerator<Uint8Array> {
  const command = new GetObjectCommand({ ...placeOf(ctx, storageKey), Range: `bytes=${from}-${to}` })
  const { Body } = await runOn(ctx, storageKey, 'GetObject', () => bucketClient(ctx).send(command))
  if (Body === undefined) throw new Error(`the file ${storageKey} came without a body`)
  // The SDK's type names every runtime's stream; in Node it is a Readable.
  yield* Body as AsyncIterable<Uint8Array>
}

/** What is known of a file without reading it; undefined where there is none. */
export const headObject = (ctx: Context, storageKey: string): Promise<{ fileSize: number; etag: string } | undefined> =>
  runOn(ctx, storageKey, 'HeadObject', async () => {
    try {
      const answer = await bucketClient(ctx).send(new HeadObjectCommand(placeOf(ctx, storageKey)))
      return { fileSize: answer.ContentLength ?? 0, etag: answer.ETag ?? '' }
    } catch (error) {
      if (error instanceof NotFound) return undefined
      throw error
    }
  })

/** Removes a file; one that is not there is no error. */
export const removeObject = async (ctx: Context, storageKey: string): Promise<void> => {
  await runOn(ctx, storageKey, 'DeleteObject', () =>
    bucketClient(ctx).send(new DeleteObjectCommand(placeOf(ctx, storageKey))),
  )
}
