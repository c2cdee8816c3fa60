import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  NoSuchKey,
  NotFound,
  S3Client,
  type S3ClientConfig,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import { type Context, perContext } from '../context.ts'
import { exportsPrefix, incomingPrefix } from '../resources.ts'
import { credentialsOf, unlogged } from './client.ts'

/**
 * The options of clients of the media bucket. Checksums only where S3 requires them: a presigned URL would otherwise carry
 * the checksum of an empty body (aws-sdk-js-v3 issue 6994), and checksums of read files are computed in JavaScript.
 */
export const bucketOptions = (ctx: Context): S3ClientConfig => ({
  ...credentialsOf(ctx),
  requestChecksumCalculation: 'WHEN_REQUIRED',
  responseChecksumValidation: 'WHEN_REQUIRED',
  // Files take longer than rows, but must not take longer than half of the function's timeout.
  requestHandler: { connectionTimeout: 2_000, requestTimeout: 20_000, throwOnRequestTimeout: true },
})

/** The client of the media bucket. */
export const bucketClient = perContext((ctx) => unlogged(new S3Client(bucketOptions(ctx))))

/** The location of a file, as parameters of a command. */
export const objectOf = (ctx: Context, storageKey: string) => ({ Bucket: ctx.env('MEDIA_BUCKET'), Key: storageKey })

/** The file that is copied, as parameters of a command: only if it still has this ETag. */
export const copySourceOf = (ctx: Context, { from, etag }: { from: string; etag: string }) => ({
  CopySource: `${ctx.env('MEDIA_BUCKET')}/${from}`,
  CopySourceIfMatch: etag,
})

/** The content of a URL never changes. A deleted file may stay visible this long in caches. */
export const cacheControl = 'public, max-age=86400, immutable'

/** The headers of a library file, as parameters of a command: nothing comes from its sender. */
export const servedAs = (mimeType: string) => ({
  ContentType: mimeType,
  // A document can have links and scripts: it is saved, and not opened as a page of the media host.
  ContentDisposition: /^(?:application|text)\//.test(mimeType) ? 'attachment' : 'inline',
  CacheControl: cacheControl,
})

const folderOf = (storageKey: string) => {
  if (storageKey.startsWith(incomingPrefix)) return 'incoming'
  return storageKey.startsWith(exportsPrefix) ? 'exports' : 'media'
}

/** Runs a call to the bucket about one file, visible to tests and traces. */
export const runOn = <T>(ctx: Context, storageKey: string, action: string, call: () => Promise<T>): Promise<T> =>
  ctx.observe({ service: 's3', action, resource: folderOf(storageKey) }, call)

const download = (ctx: Context, storageKey: string, range?: string, etag?: string): Promise<Uint8Array> =>
  runOn(ctx, storageKey, 'GetObject', async () => {
    const bounds = { ...(range ? { Range: range } : {}), ...(etag ? { IfMatch: etag } : {}) }
    const command = new GetObjectCommand({ ...objectOf(ctx, storageKey), ...bounds })
    const { Body } = await bucketClient(ctx).send(command)
    if (Body === undefined) throw new Error(`the file ${storageKey} has no body`)
    return Body.transformToByteArray()
  })

/** Whether a read failed because the file no longer exists. */
export const isGone = (error: unknown): boolean => error instanceof NoSuchKey || error instanceof NotFound

/** Whether a call failed because the file does not match its ETag, or because the target already exists. */
export const hasChanged = (error: unknown): boolean =>
  error instanceof S3ServiceException && error.$metadata.httpStatusCode === 412

/** The whole file; only for files that fit into memory. */
export const readObject = (ctx: Context, storageKey: string): Promise<Uint8Array> => download(ctx, storageKey)

/** The bytes of an inclusive range; fewer if the file ends earlier. With an ETag, only of that version of the file. */
export const readRange = (
  ctx: Context,
  storageKey: string,
  { from, to, etag }: { from: number; to: number; etag?: string | undefined },
): Promise<Uint8Array> => download(ctx, storageKey, `bytes=${from}-${to}`, etag)

/** The bytes of an inclusive range as a stream, for files that do not fit into memory. */
export const streamRange = async function* (
  ctx: Context,
  storageKey: string,
  from: number,
  to: number,
): AsyncGenerator<Uint8Array> {
  const command = new GetObjectCommand({ ...objectOf(ctx, storageKey), Range: `bytes=${from}-${to}` })
  const { Body } = await runOn(ctx, storageKey, 'GetObject', () => bucketClient(ctx).send(command))
  if (Body === undefined) throw new Error(`the file ${storageKey} has no body`)
  // The SDK's type covers the streams of all runtimes; in Node it is a Readable.
  yield* Body as AsyncIterable<Uint8Array>
}

/** What the bucket says about a file. */
interface Stat {
  fileSize: number
  etag: string
  /** The SHA-256 of its bytes in base64; only if it was uploaded with it. */
  checksum?: string | undefined
}

/** A file without its content. Throws an error that `isGone` recognizes if there is none. */
export const statObject = (ctx: Context, storageKey: string): Promise<Stat> =>
  runOn(ctx, storageKey, 'HeadObject', async () => {
    const command = new HeadObjectCommand({ ...objectOf(ctx, storageKey), ChecksumMode: 'ENABLED' })
    const { ContentLength = 0, ETag = '', ChecksumSHA256 } = await bucketClient(ctx).send(command)
    return { fileSize: ContentLength, etag: ETag, checksum: ChecksumSHA256 }
  })

/** The same; undefined if there is no such file. */
export const headObject = async (ctx: Context, storageKey: string): Promise<Stat | undefined> => {
  try {
    return await statObject(ctx, storageKey)
  } catch (error) {
    if (error instanceof NotFound) return undefined
    throw error
  }
}

/** Removes a file; a missing file is not an error. */
export const removeObject = async (ctx: Context, storageKey: string): Promise<void> => {
  await runOn(ctx, storageKey, 'DeleteObject', () =>
    bucketClient(ctx).send(new DeleteObjectCommand(objectOf(ctx, storageKey))),
  )
}
