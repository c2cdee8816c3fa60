import * as z from 'zod/mini'
import { readObject } from '../../aws/bucket.ts'
import { cutText } from '../../text/cut.ts'
import { dayMs } from '../../time.ts'
import type { PlatformCall, Prepared, PreparedRef } from '../adapter.ts'
import { codePoints } from '../counting.ts'
import { mediaAddress } from '../media-address.ts'
import { PlatformError } from '../platform-error.ts'
import { callPinterest } from './api.ts'
import { PinterestMetadata } from './definition.ts'
import { notPermitted } from './errors.ts'

const Fields = z.object({
  board_id: z.string(),
  title: z.optional(z.string()),
  description: z.optional(z.string()),
  link: z.optional(z.string()),
  alt_text: z.optional(z.string()),
})

/** A Pin but for the bytes of its image: also what a probe looks for, whatever the post has become since. */
export const Pin = z.object({
  fields: Fields,
  picture: z.union([
    z.object({ url: z.string() }),
    z.object({ storageKey: z.string(), contentType: z.enum(['image/jpeg', 'image/png']) }),
  ]),
})
type Pin = z.infer<typeof Pin>

const preparedMs = dayMs
/** Larger ones, and other types, Pinterest loads by their address (Pinterest API v5, pins/create). */
const maxInlineBytes = 10_000_000
const maxAltText = 500

const pictureOf = ({ ctx, post }: PlatformCall): Pin['picture'] => {
  const [file] = post.media
  if (!file) throw new PlatformError('invalid', 'Pinterest requires an image. Attach one.')
  const { mimeType: contentType, storageKey, fileSize } = file
  const inline = contentType === 'image/jpeg' || contentType === 'image/png'
  return inline && fileSize <= maxInlineBytes ? { storageKey, contentType } : { url: mediaAddress(ctx, file) }
}

/** Writes the Pin down; Pinterest has nothing to prepare. */
export const prepare = async (call: PlatformCall): Promise<Prepared> => {
  const { ctx, post } = call
  const { boardId, title, link } = z.parse(PinterestMetadata, post.metadata)
  // Cut rather than refused: the text beside the image matters less than the Pin.
  const altText = cutText(post.media[0]?.altText ?? '', maxAltText, codePoints)
  const fields = {
    board_id: boardId,
    ...(title === '' ? {} : { title }),
    ...(post.text === '' ? {} : { description: post.text }),
    ...(link === undefined ? {} : { link }),
    ...(altText === '' ? {} : { alt_text: altText }),
  }
  const ready: Pin = { fields, picture: pictureOf(call) }
  return { ready, expiresAtMs: ctx.clock.now() + preparedMs }
}

/** The whole request, with the image in it unless Pinterest loads it. */
export const build = async ({ ctx }: PlatformCall, ref: PreparedRef): Promise<Uint8Array> => {
  const { fields, picture } = z.parse(Pin, ref)
  const media_source =
    'url' in picture
      ? { source_type: 'image_url', url: picture.url }
      : {
          source_type: 'image_base64',
          content_type: picture.contentType,
          data: Buffer.from(await readObject(ctx, picture.storageKey)).toString('base64'),
        }
  return Buffer.from(JSON.stringify({ ...fields, media_source }))
}

export const pinUrl = (id: string): string => `https://www.pinterest.com/pin/${id}/`

/** "Not permitted" may mean the board or the account: an account that can still be read has lost only the board. */
const lookCloser = async ({ ctx, account }: PlatformCall, error: unknown) => {
  if (!(error instanceof PlatformError) || error.facts.httpStatus !== 403) return error
  if (error.facts.code !== notPermitted || error.facts.operator) return error
  await callPinterest(ctx, account, { path: '/user_account', reply: z.object({ username: z.string() }) })
  const text = 'Pinterest does not let this account pin to this board. Choose another one.'
  return new PlatformError('invalid', text, error.facts)
}

/** Makes the Pin. */
export const commit = async (call: PlatformCall, _ref: PreparedRef, _clientKey: string, built: unknown) => {
  const body = { type: 'application/json', bytes: z.parse(z.instanceof(Uint8Array), built) }
  const request = { path: '/pins', body, creates: true, reply: z.object({ id: z.string() }) }
  const { id } = await callPinterest(call.ctx, call.account, request).catch(async (error: unknown) => {
    throw await lookCloser(call, error)
  })
  return { id, url: pinUrl(id) }
}
