import * as z from 'zod/mini'
import { readObject } from '../../aws/bucket.ts'
import type { Context } from '../../context.ts'
import type { MediaFile } from '../../media/media-file.ts'
import { cutText } from '../../text/cut.ts'
import type { RequestBody } from '../http.ts'
import { multipart } from '../multipart.ts'
import { PlatformError } from '../platform-error.ts'
import { maxTotalBytes } from './definition.ts'

/** The files of a message as parts of its form, in their order. */
export const Attachments = z.array(
  z.object({
    name: z.string(),
    value: z.custom<Uint8Array>((value) => value instanceof Uint8Array),
    filename: z.string(),
    type: z.string(),
  }),
)
export type Attachments = z.infer<typeof Attachments>

const maxDescription = 1024

/** Loads the files of a post. Their sizes were checked when it was accepted, but only the stored files count. */
export const loadAttachments = async (ctx: Context, media: readonly MediaFile[]): Promise<Attachments> => {
  const parts = await Promise.all(
    media.map(async ({ storageKey, originalFilename, mimeType }, n) => {
      const value = await readObject(ctx, storageKey)
      return { name: `files[${n}]`, value, filename: originalFilename, type: mimeType }
    }),
  )
  if (parts.reduce((sum, { value }) => sum + value.byteLength, 0) > maxTotalBytes) {
    throw new PlatformError('invalid', 'Discord attachments are too large. Attach fewer or smaller files.')
  }
  return parts
}

/** The body of a message: JSON, or a form where files go with it. Nobody is pinged by what it says. */
export const buildMessage = (
  content: string,
  nonce: string,
  media: readonly MediaFile[],
  attachments: Attachments | undefined,
): RequestBody => {
  const message = { content, allowed_mentions: { parse: [] }, nonce, enforce_nonce: true }
  if (!attachments) return { json: message }
  const described = media.map(({ altText }, n) => {
    // Cut rather than refused: the text beside the image matters less than the post.
    const description = altText && cutText(altText, maxDescription)
    return { id: String(n), ...(description ? { description } : {}) }
  })
  const payload = JSON.stringify({ ...message, attachments: described })
  return multipart([{ name: 'payload_json', value: payload, type: 'application/json' }, ...attachments])
}
