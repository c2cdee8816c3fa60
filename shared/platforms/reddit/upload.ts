import * as z from 'zod/mini'
import { streamRange } from '../../aws/bucket.ts'
import type { Context } from '../../context.ts'
import type { MediaFile } from '../../media/media-file.ts'
import { filenameOf } from '../../media/types.ts'
import type { PlatformCall } from '../adapter.ts'
import { baseUrlOf } from '../base-urls.ts'
import { assertUploadAddress } from '../files.ts'
import { sendRequest } from '../http.ts'
import { formWithFile } from '../multipart.ts'
import { PlatformError } from '../platform-error.ts'
import { callReddit, readAgent } from './api.ts'
import { definition } from './definition.ts'

const Lease = z.object({
  args: z.object({
    action: z.string(),
    fields: z.array(z.object({ name: z.string(), value: z.string() })),
  }),
  asset: z.optional(z.object({ asset_id: z.optional(z.string()) })),
})

/** Where Reddit accepts file uploads. */
const hosts = ['.amazonaws.com', '.reddit.com', '.redditmedia.com']

/** What is sent to Reddit: a file of the bucket, or bytes in memory. */
export interface Source {
  mimeType: string
  size: number
  read(): AsyncIterable<Uint8Array>
}

export const storedFile = (ctx: Context, { mimeType, fileSize, storageKey }: MediaFile): Source => ({
  mimeType,
  size: fileSize,
  read: () => streamRange(ctx, storageKey, 0, fileSize - 1),
})

export const bytesAtHand = (mimeType: string, bytes: Uint8Array): Source => ({
  mimeType,
  size: bytes.byteLength,
  async *read() {
    yield bytes
  },
})

/** Reddit shows no file names: it only needs the type. */
const nameOf = ({ mimeType }: Source) => filenameOf({ originalFilename: '', mimeType })

const tooLarge = /<Code>EntityTooLarge<\/Code>[\s\S]*?(?:<MaxSizeAllowed>(\d+)<)?/

/** A file in Reddit's bucket: its URL for a post, and its ID for a gallery. */
interface Uploaded {
  url: string
  id: string | undefined
}

/** Uploads a file to Reddit's bucket. It is not public before a post names it. */
export const uploadFile = async ({ ctx, account }: PlatformCall, file: Source): Promise<Uploaded> => {
  const { args, asset } = await callReddit(ctx, account, {
    path: '/api/media/asset.json',
    form: { api_type: 'json', filepath: nameOf(file), mimetype: file.mimeType },
    reply: Lease,
  })
  // The address comes without a scheme.
  const action = new URL(args.action, baseUrlOf(ctx, definition, 'api')).href
  const address = assertUploadAddress(ctx, definition, action, hosts)
  const key = args.fields.find(({ name }) => name === 'key')?.value
  if (key === undefined) throw new PlatformError('transient', 'Reddit returned no upload URL.')
  await sendRequest(ctx, {
    platform: definition,
    method: 'POST',
    base: new URL(address).origin,
    path: '/upload',
    address,
    headers: { 'user-agent': await readAgent(ctx) },
    body: formWithFile(args.fields, { name: nameOf(file), ...file }),
    // Long enough for a video at the pace at which a function reads and writes.
    totalMs: 45_000,
    classifyError: (answer) => classifyUploadError(answer.status, 'text' in answer ? String(answer.text) : ''),
  })
  return { url: `${address.replace(/\/$/, '')}/${key}`, id: asset?.asset_id }
}

const classifyUploadError = (httpStatus: number, text: string): PlatformError =>
  tooLarge.test(text)
    ? new PlatformError('invalid', 'Reddit rejected the file as too large. Attach a smaller one.', {
        httpStatus,
        code: 'EntityTooLarge',
      })
    : new PlatformError('transient', 'Reddit did not accept the upload.', { httpStatus })
