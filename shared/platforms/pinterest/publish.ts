import * as z from 'zod/mini'
import { readObject } from '../../aws/bucket.ts'
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
import { callPinterest } from './api.ts'
import { definition, PinterestMetadata } from './definition.ts'
import { notPermitted } from './errors.ts'

const Fields = z.object({
  board_id: z.string(),
  title: z.optional(z.string()),
  description: z.optional(z.string()),
  link: z.optional(z.string()),
  alt_text: z.optional(z.string()),
})

/** A Pin but for the bytes of its image: also what a probe looks for, whatever the post has become since. */
const Pin = z.object({
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
const prepare = async (call: PlatformCall): Promise<Prepared> => {
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
const build = async ({ ctx }: PlatformCall, ref: PreparedRef): Promise<Uint8Array> => {
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

const pinUrl = (id: string): string => `https://www.pinterest.com/pin/${id}/`

/** "Not permitted" may mean the board or the account: an account that can still be read has lost only the board. */
const refineError = async ({ ctx, account }: PlatformCall, error: unknown) => {
  if (!(error instanceof PlatformError) || error.info.httpStatus !== 403) return error
  if (error.info.code !== notPermitted || error.info.operator) return error
  await callPinterest(ctx, account, { path: '/user_account', reply: z.object({ username: z.string() }) })
  const text = 'Pinterest does not let this account pin to this board. Choose another one.'
  return new PlatformError('invalid', text, error.info)
}

/** Makes the Pin. */
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

/** Looks for the Pin among those made on its board since the attempt. */
const probe = async ({ ctx, account }: PlatformCall, attempt: UnconfirmedAttempt): Promise<ProbeResult> => {
  const { fields } = z.parse(Pin, attempt.ref)
  const seen = await lookBack<Listed, string>({
    clock: ctx.clock,
    fromMs: windowOf(attempt, clockSkewMs).fromMs,
    async read(bookmark) {
      const answer = await callPinterest(ctx, account, {
        path: '/boards/{board}/pins',
        params: { board: fields.board_id },
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

/** Pinterest: what was lost is looked for on the board. */
export const pinterest: PlatformAdapter = {
  ...definition,
  reconcileMethod: 'probe',
  readLagSeconds: 120,
  // Pinterest knows no key that would make a repeat harmless.
  prepare,
  build,
  commit,
  findsByContent: () => true,
  probe,
}
