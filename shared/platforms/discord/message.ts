import { randomBytes } from 'node:crypto'
import * as z from 'zod/mini'
import { readObject } from '../../aws/bucket.ts'
import type { Context } from '../../context.ts'
import type { RequestBody } from '../http.ts'
import { PlatformError, type PostMedia } from '../platform.ts'
import { maxTotalBytes } from './card.ts'

/** The files of a message as the parts of a form, ready but for the part that holds the text. */
export const Attachments = z.object({ boundary: z.string(), parts: z.instanceof(Uint8Array) })
export type Attachments = z.infer<typeof Attachments>

const maxDescription = 1024

/** A name inside a header, as the HTML standard encodes it in forms. */
const quote = (name: string) => name.replace(/"/g, '%22').replace(/\r/g, '%0D').replace(/\n/g, '%0A')

/** Loads the files of a post. Their sizes were checked when it was accepted; what lies there now is what counts. */
export const loadAttachments = async (ctx: Context, media: readonly PostMedia[]): Promise<Attachments> => {
  const files = await Promise.all(media.map(({ storageKey }) => readObject(ctx, storageKey)))
  if (files.reduce((sum, file) => sum + file.byteLength, 0) > maxTotalBytes) {
    throw new PlatformError('invalid', 'The attachments are larger than Discord takes.')
  }
  const boundary = `files-${randomBytes(18).toString('hex')}`
  const parts = media.flatMap(({ originalFilename, mimeType }, n) => [
    Buffer.from(
      `--${boundary}\r\ncontent-disposition: form-data; name="files[${n}]"; filename="${quote(originalFilename)}"\r\ncontent-type: ${mimeType}\r\n\r\n`,
    ),
    files[n] ?? new Uint8Array(),
    Buffer.from('\r\n'),
  ])
  return { boundary, parts: Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]) }
}

/** The body of a message: JSON, or a form where files go with it. Nobody is pinged by what it says. */
export const buildMessage = (
  content: string,
  nonce: string,
  media: readonly PostMedia[],
  attachments: Attachments | undefined,
): RequestBody => {
  const message = { content, allowed_mentions: { parse: [] }, nonce, enforce_nonce: true }
  if (!attachments) return { json: message }
  const { boundary, parts } = attachments
  const described = media.map(({ altText }, n) => {
    // Cut rather than refused: the text beside the picture matters less than the post.
    const description = altText?.slice(0, maxDescription).replace(/[\ud800-\udbff]$/, '')
    return { id: String(n), ...(description ? { description } : {}) }
  })
  const payload = JSON.stringify({ ...message, attachments: described })
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="payload_json"\r\ncontent-type: application/json\r\n\r\n${payload}\r\n`
  return { type: `multipart/form-data; boundary=${boundary}`, bytes: Buffer.concat([Buffer.from(head), parts]) }
}
