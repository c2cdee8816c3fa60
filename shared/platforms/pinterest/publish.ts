import * as z from 'zod/mini'
import { readObject } from '../../aws/bucket.ts'
import type { Context } from '../../context.ts'
import type { MediaFile } from '../../media/media-file.ts'
import { codePoints } from '../../text/counting.ts'
import { cutText } from '../../text/cut.ts'
import { dayMs } from '../../time.ts'
import type {
  PlatformAdapter,
  PlatformCall,
  Prepared,
  PreparedRef,
  ProbeResult,
  UnconfirmedAttempt,
} from '../adapter.ts'
import { mediaAddress } from '../files.ts'
import { lookBack, pageMs, windowOf } from '../look-back.ts'
import { PlatformError } from '../platform-error.ts'
import type { OutgoingPost } from '../post.ts'
import { edited, removed } from '../removal.ts'
import { callPinterest } from './api.ts'
import { definition, PinterestMetadata } from './definition.ts'
import { isNotPermitted } from './errors.ts'
import { prepareVideo } from './video.ts'

const Fields = z.object({
  board_id: z.string(),
  board_section_id: z.optional(z.string()),
  title: z.optional(z.string()),
  description: z.optional(z.string()),
  link: z.optional(z.string()),
  alt_text: z.optional(z.string()),
})

const StoredImage = z.object({ storageKey: z.string(), contentType: z.enum(['image/jpeg', 'image/png']) })
type StoredImage = z.infer<typeof StoredImage>
const Picture = z.union([z.object({ url: z.string() }), StoredImage])
const Cover = z.union([z.object({ seconds: z.int() }), StoredImage])

/** A Pin except for the bytes of its image. A probe also looks for this, whatever the post has become since. */
const Pin = z.union([
  z.object({ fields: Fields, video: z.object({ mediaId: z.string(), cover: Cover }) }),
  z.object({ fields: Fields, addresses: z.array(z.string()) }),
  z.object({ fields: Fields, picture: Picture }),
])
type Pin = z.infer<typeof Pin>

const preparedMs = dayMs
/** Pinterest loads larger images, and other types, by their address (Pinterest API v5, pins/create). */
const maxInlineBytes = 10_000_000
const maxAltText = 500

/** An image that is sent in the call itself, where Pinterest accepts that. */
const inlineImage = ({ mimeType: contentType, storageKey, fileSize }: MediaFile): StoredImage | undefined => {
  if (fileSize > maxInlineBytes) return undefined
  return contentType === 'image/jpeg' || contentType === 'image/png' ? { storageKey, contentType } : undefined
}

const coverOf = ({ assets }: OutgoingPost, { coverImageKeyFrameTime: seconds = 0 }: PinterestMetadata) => {
  const image = assets['coverMediaAssetId']
  return (image && inlineImage(image)) ?? { seconds }
}

/** What the Pin shows: a video, several images that Pinterest loads, or one image. */
const sourceOf = (
  { ctx, post }: PlatformCall,
  file: MediaFile,
  metadata: PinterestMetadata,
  uploaded: { mediaId: string } | undefined,
) => {
  if (uploaded) return { video: { ...uploaded, cover: coverOf(post, metadata) } }
  if (metadata.format === 'carousel') return { addresses: post.media.map((image) => mediaAddress(ctx, image)) }
  return { picture: inlineImage(file) ?? { url: mediaAddress(ctx, file) } }
}

/** Uploads a video; an image is only recorded, as Pinterest needs no preparation for it. */
const prepare = async (call: PlatformCall, resume: PreparedRef | undefined): Promise<Prepared> => {
  const { ctx, post } = call
  const [file] = post.media
  if (!file) throw new PlatformError('invalid', 'Pinterest requires an image or a video. Attach one.')
  const metadata = z.parse(PinterestMetadata, post.metadata)
  const { boardId, boardSectionId, title, link } = metadata
  const uploaded = metadata.format === 'video' ? await prepareVideo(call, file, resume) : undefined
  if (uploaded && 'resume' in uploaded) return uploaded
  // Truncated rather than rejected: the alt text matters less than the Pin.
  const altText = cutText(file.altText ?? '', maxAltText, codePoints)
  const fields = {
    board_id: boardId,
    ...(boardSectionId === undefined ? {} : { board_section_id: boardSectionId }),
    ...(title === '' ? {} : { title }),
    ...(post.text === '' ? {} : { description: post.text }),
    ...(link === undefined ? {} : { link }),
    ...(altText === '' ? {} : { alt_text: altText }),
  }
  const ready: Pin = { fields, ...sourceOf(call, file, metadata, uploaded) }
  return { ready, expiresAtMs: ctx.clock.now() + preparedMs }
}

const readImage = async (ctx: Context, { contentType, storageKey }: StoredImage) => ({
  content_type: contentType,
  data: Buffer.from(await readObject(ctx, storageKey)).toString('base64'),
})

const imageSource = async (ctx: Context, picture: z.infer<typeof Picture>) =>
  'url' in picture
    ? { source_type: 'image_url', url: picture.url }
    : { source_type: 'image_base64', ...(await readImage(ctx, picture)) }

const coverFields = async (ctx: Context, cover: z.infer<typeof Cover>) => {
  if ('seconds' in cover) return { cover_image_key_frame_time: cover.seconds }
  const { content_type, data } = await readImage(ctx, cover)
  return { cover_image_content_type: content_type, cover_image_data: data }
}

const mediaSource = async (ctx: Context, pin: Pin) => {
  if ('picture' in pin) return imageSource(ctx, pin.picture)
  if ('addresses' in pin) return { source_type: 'multiple_image_urls', items: pin.addresses.map((url) => ({ url })) }
  return { source_type: 'video_id', media_id: pin.video.mediaId, ...(await coverFields(ctx, pin.video.cover)) }
}

/** The whole request, with the image in it unless Pinterest loads it. */
const build = async ({ ctx }: PlatformCall, ref: PreparedRef): Promise<Uint8Array> => {
  const pin = z.parse(Pin, ref)
  return Buffer.from(JSON.stringify({ ...pin.fields, media_source: await mediaSource(ctx, pin) }))
}

const pinUrl = (id: string): string => `https://www.pinterest.com/pin/${id}/`

/** "Not permitted" may mean the board or the account: an account that can still be read has lost only the board. */
const refineError = async ({ ctx, account }: PlatformCall, error: unknown) => {
  if (!(error instanceof PlatformError) || !isNotPermitted(error.info) || error.info.operator) return error
  await callPinterest(ctx, account, { path: '/user_account', reply: z.object({ username: z.string() }) })
  const text = 'Pinterest does not let this account pin to this board. Choose another one.'
  return new PlatformError('invalid', text, error.info)
}

/** Creates the Pin. */
const commit = async (call: PlatformCall, _ref: PreparedRef, _clientKey: string, built: unknown) => {
  const body = { type: 'application/json', bytes: z.parse(z.instanceof(Uint8Array), built) }
  const request = { path: '/pins', body, creates: true, reply: z.object({ id: z.string() }) }
  const { id } = await callPinterest(call.ctx, call.account, request).catch(async (error: unknown) => {
    throw await refineError(call, error)
  })
  return { id, url: pinUrl(id) }
}

const text = z.optional(z.nullable(z.string()))
const Listed = z.object({ id: z.string(), title: text, description: text, link: text, created_at: text })
const Page = z.object({ items: z.array(Listed), bookmark: z.optional(z.nullable(z.string())) })
type Listed = z.infer<typeof Listed>

const pageSize = '250'
/** How far Pinterest's clock and ours may be apart. */
const clockSkewMs = 5_000

/** Some of Pinterest's times name no zone: they are UTC. */
const madeAtMs = ({ created_at: at }: Listed) =>
  at ? Date.parse(/[Zz]|[+-]\d\d:\d\d$/.test(at) ? at : `${at}Z`) : Number.NaN

const same = (shown: string | null | undefined, sent: string | undefined) =>
  (shown ?? '').trim() === (sent ?? '').trim()

/** Where a Pin is listed: a section has a separate list. */
const listOf = ({ board_id: board, board_section_id: section }: z.infer<typeof Fields>) =>
  section === undefined
    ? { path: '/boards/{board}/pins', params: { board } }
    : { path: '/boards/{board}/sections/{section}/pins', params: { board, section } }

/** Looks for the Pin among those made on its board since the attempt. */
const probe = async ({ ctx, account }: PlatformCall, attempt: UnconfirmedAttempt): Promise<ProbeResult> => {
  const { fields } = z.parse(Pin, attempt.ref)
  const seen = await lookBack<Listed, string>({
    clock: ctx.clock,
    fromMs: windowOf(attempt, clockSkewMs).fromMs,
    async read(bookmark) {
      const answer = await callPinterest(ctx, account, {
        ...listOf(fields),
        query: { page_size: pageSize, ...(bookmark ? { bookmark } : {}) },
        totalMs: pageMs,
        reply: Page,
      })
      return { items: answer.items, next: answer.bookmark || undefined }
    },
    atMs: madeAtMs,
    isOurs: (pin) =>
      same(pin.title, fields.title) && same(pin.description, fields.description) && same(pin.link, fields.link),
  })
  if (seen.kind !== 'found') return seen
  const [{ id }] = seen.items
  return { kind: 'published', id, url: pinUrl(id) }
}

/** Deletes the Pin (pins/delete). */
const remove = ({ ctx, account }: PlatformCall, pin: string): Promise<void> => {
  const request = { path: '/pins/{pin}', params: { pin }, method: 'DELETE', reply: z.unknown() } as const
  return removed(callPinterest(ctx, account, request), ({ httpStatus }) => httpStatus === 404)
}

/** Changes the texts and the link of the Pin; its image and board stay (pins/update). */
const edit = ({ ctx, account, post }: PlatformCall, pin: string): Promise<void> => {
  const { title, link = null } = z.parse(PinterestMetadata, post.metadata)
  const body = { json: { title, description: post.text, link } }
  const request = { path: '/pins/{pin}', params: { pin }, method: 'PATCH', body, reply: z.unknown() } as const
  return edited(callPinterest(ctx, account, request), definition.name, ({ httpStatus }) => httpStatus === 404)
}

/** Pinterest: a lost Pin is searched on the board. */
export const pinterest: PlatformAdapter = {
  ...definition,
  reconcileMethod: 'probe',
  readLagSeconds: 120,
  // Pinterest has no key that would make a repeat harmless.
  prepare,
  build,
  commit,
  findsByContent: () => true,
  remove,
  edit,
  probe,
}
