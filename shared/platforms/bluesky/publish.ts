import { randomInt } from 'node:crypto'
import * as z from 'zod/mini'
import { readObject } from '../../aws/bucket.ts'
import type { Context } from '../../context.ts'
import type { MediaFile } from '../../media/media-file.ts'
import { minuteMs } from '../../time.ts'
import type {
  KeyedPost,
  PlatformAdapter,
  PlatformCall,
  Prepared,
  PreparedRef,
  ProbeResult,
  UnconfirmedAttempt,
} from '../adapter.ts'
import { readTrack, tracksOf } from '../captions.ts'
import { lookBack, pageMs, windowOf } from '../look-back.ts'
import { type Classification, classified, commonErrors, PlatformError } from '../platform-error.ts'
import { BlueskyMetadata, definition } from './definition.ts'
import { buildFacets, findMarks } from './facets.ts'
import { Gates, gateCollections, gatesOf, writesOf } from './gates.ts'
import { sessionOf, xrpc } from './session.ts'
import { prepareVideo } from './video.ts'

const letters = '234567abcdefghijklmnopqrstuvwxyz'

/**
 * A timestamp id: microseconds since 1970 and a 10-bit clock id as 13 letters that sort by time
 * (atproto.com/specs/tid).
 */
export const makeTid = (microseconds: bigint, clockId: number): string => {
  const bits = (microseconds << 10n) | BigInt(clockId)
  return Array.from({ length: 13 }, (_, index) => letters[Number((bits >> BigInt(60 - 5 * index)) & 31n)]).join('')
}

/** The microseconds from which a timestamp ID was made. */
export const tidMicroseconds = (tid: string): bigint =>
  [...tid].reduce((bits, letter) => (bits << 5n) | BigInt(letters.indexOf(letter)), 0n) >> 10n

const collection = 'app.bsky.feed.post'
/** Servers drop a blob that no record shows after minutes to hours. */
const preparedMs = 30 * minuteMs

const keyOf = (uri: string): string => uri.slice(uri.lastIndexOf('/') + 1)

const keyMs = (key: string): number => Number(tidMicroseconds(key) / 1000n)

/** The time in a post's key and record: that of the post; a reply is always later than its parent. */
const recordMs = ({ scheduledAtMs, replyTo }: Pick<KeyedPost, 'scheduledAtMs' | 'replyTo'>): number =>
  replyTo === undefined ? scheduledAtMs : Math.max(scheduledAtMs, keyMs(keyOf(replyTo)) + 1)

/** The record's key: its time, and twenty random bits, since posts of one account may be due in the same millisecond. */
export const makeKey = (post: KeyedPost): string =>
  makeTid(BigInt(recordMs(post)) * 1000n + BigInt(randomInt(1000)), randomInt(1024))

const { parentNotShown } = commonErrors
const quotedIsGone: Classification = ['invalid', 'does not have the post to quote. Correct metadata.bluesky.quoteUri.']

/** The server has no such record. */
const isAbsent = (error: unknown): error is PlatformError =>
  error instanceof PlatformError && error.info.code === 'RecordNotFound'

/** The AppView does not know the account or record, which only its message text says (AppView source, getRecord). */
const isAbsentElsewhere = (error: unknown): error is PlatformError =>
  error instanceof PlatformError && /^Could not (?:locate record|find repo)\b/.test(error.info.detail ?? '')

const Uploaded = z.object({ blob: z.record(z.string(), z.unknown()) })

const uploadBytes = async ({ ctx, account }: PlatformCall, input: { bytes: Uint8Array; type: string }) => {
  const { service, accessJwt: token } = sessionOf(account)
  return (await xrpc(ctx, { service, method: 'com.atproto.repo.uploadBlob', token, input, reply: Uploaded })).blob
}

const uploadBlob = async (call: PlatformCall, file: MediaFile) =>
  uploadBytes(call, { bytes: await readObject(call.ctx, file.storageKey), type: file.mimeType })

/** A video with its captions, which are WebVTT (lexicon app.bsky.embed.video, caption). */
const withCaptions = async (call: PlatformCall, embed: object, { captions }: BlueskyMetadata): Promise<object> => {
  const tracks = tracksOf(call.post, captions).map(async (track) => {
    const bytes = await readTrack(call.ctx, track, 'vtt')
    return { lang: track.language, file: await uploadBytes(call, { bytes, type: 'text/vtt' }) }
  })
  return tracks.length === 0 ? embed : { ...embed, captions: await Promise.all(tracks) }
}

const uploadImage = async (call: PlatformCall, file: MediaFile) => {
  const image = await uploadBlob(call, file)
  const { width, height } = file
  return { alt: file.altText ?? '', image, ...(width && height ? { aspectRatio: { width, height } } : {}) }
}

const resolveHandle = async (ctx: Context, service: string, handle: string) => {
  const method = 'com.atproto.identity.resolveHandle'
  const reply = z.object({ did: z.string() })
  try {
    const { did } = await xrpc(ctx, { service, method, query: { handle }, reply })
    return [[handle, did]] as const
  } catch (error) {
    if (error instanceof PlatformError && error.info.httpStatus === 400) return []
    throw error
  }
}

const facetsOf = async ({ ctx, account, post }: PlatformCall) => {
  const marks = findMarks(post.text)
  const handles = new Set(marks.flatMap((mark) => (mark.kind === 'mention' ? [mark.handle] : [])))
  const { service } = sessionOf(account)
  const dids = new Map((await Promise.all([...handles].map((handle) => resolveHandle(ctx, service, handle)))).flat())
  return buildFacets(post.text, marks, (handle) => dids.get(handle))
}

/** The most images that every client shows; more need the gallery, which clients before 2026-06 do not show. */
const maxShownEverywhere = 4
/** A gallery needs a ratio of every image, which may be approximate (lexicon app.bsky.embed.defs, aspectRatio). */
const square = { width: 1, height: 1 }

const embedImages = async (call: PlatformCall) => {
  const images = await Promise.all(call.post.media.map((file) => uploadImage(call, file)))
  if (images.length <= maxShownEverywhere) return { $type: 'app.bsky.embed.images', images }
  const $type = 'app.bsky.embed.gallery'
  return { $type, items: images.map((image) => ({ $type: `${$type}#image`, aspectRatio: square, ...image })) }
}

/** A link card as the author wrote it: fetching the page would let strangers decide what the post shows. */
const embedCard = async (call: PlatformCall, { external }: BlueskyMetadata) => {
  if (external === undefined) return undefined
  const { url, title, description = '' } = external
  const image = call.post.assets['external.thumbMediaAssetId']
  const thumb = image === undefined ? {} : { thumb: await uploadBlob(call, image) }
  return { $type: 'app.bsky.embed.external', external: { uri: url, title, description, ...thumb } }
}

const StrongRef = z.object({ uri: z.string(), cid: z.string() })

/** A quote names the version of a post, which the server of the account finds in any repository. */
const quoted = async ({ ctx, account }: PlatformCall, { quoteUri }: BlueskyMetadata) => {
  if (quoteUri === undefined) return undefined
  const { service } = sessionOf(account)
  const [, , repo = '', , rkey = ''] = quoteUri.split('/')
  const query = { repo, collection, rkey }
  const method = 'com.atproto.repo.getRecord'
  const record = await xrpc(ctx, { service, method, query, reply: StrongRef }).catch((error: unknown) => {
    throw isAbsent(error) || isAbsentElsewhere(error) ? classified(definition.name, quotedIsGone, error.info) : error
  })
  return { $type: 'app.bsky.embed.record', record: { uri: record.uri, cid: record.cid } }
}

/** A quote, media or a link card, or both together (lexicon app.bsky.embed.recordWithMedia). */
const embedBoth = (record: object | undefined, media: object | undefined): object | undefined =>
  record && media ? { $type: 'app.bsky.embed.recordWithMedia', record, media } : (record ?? media)

const embedFiles = (call: PlatformCall, metadata: BlueskyMetadata) =>
  call.post.media.length === 0 ? embedCard(call, metadata) : embedImages(call)

/** Uploads the media and resolves mentions; the result is the whole record except for its time. */
const prepare = async (call: PlatformCall, resume: PreparedRef | undefined): Promise<Prepared> => {
  const { ctx, post } = call
  const [first] = post.media
  const video = first?.mimeType.startsWith('video/') ? await prepareVideo(call, first, resume) : undefined
  if (video && 'resume' in video) return video
  const metadata = z.parse(BlueskyMetadata, post.metadata ?? {})
  const embedded = video ? withCaptions(call, video.embed, metadata) : embedFiles(call, metadata)
  const [facets, quote, shown] = await Promise.all([facetsOf(call), quoted(call, metadata), embedded])
  const embed = embedBoth(quote, shown)
  const { langs, labels } = metadata
  const gates = post.metadata === undefined ? undefined : gatesOf(metadata, post.replyTo)
  const ready = {
    $type: collection,
    text: post.text,
    ...(langs ? { langs } : {}),
    ...(facets.length > 0 ? { facets } : {}),
    ...(embed ? { embed } : {}),
    ...(labels
      ? { labels: { $type: 'com.atproto.label.defs#selfLabels', values: labels.map((val) => ({ val })) } }
      : {}),
    ...(gates ? { gates } : {}),
  }
  return { ready, expiresAtMs: ctx.clock.now() + preparedMs }
}

const Parent = z.extend(StrongRef, {
  value: z.looseObject({ reply: z.optional(z.looseObject({ root: StrongRef })) }),
})

/**
 * The thread reference of a reply: the first post of the thread, which the parent names unless it is the first one, and the
 * parent (lexicon app.bsky.feed.post, replyRef). The record to put, but for its time.
 */
const build = async ({ ctx, account, post: { replyTo } }: PlatformCall, ref: PreparedRef): Promise<PreparedRef> => {
  if (replyTo === undefined) return ref
  const { service } = sessionOf(account)
  const query = { repo: account.externalId, collection, rkey: keyOf(replyTo) }
  const method = 'com.atproto.repo.getRecord'
  const { uri, cid, value } = await xrpc(ctx, { service, method, query, reply: Parent }).catch((error: unknown) => {
    throw isAbsent(error) ? classified(definition.name, parentNotShown, error.info) : error
  })
  const parent = { uri, cid }
  return { ...ref, reply: { root: value.reply?.root ?? parent, parent } }
}

const landed = (did: string, rkey: string) => ({
  id: `at://${did}/${collection}/${rkey}`,
  url: `https://bsky.app/profile/${did}/post/${rkey}`,
})

/** What is prepared: the record of the post, and its gates. */
const Ready = z.looseObject({ gates: z.optional(Gates) })

/**
 * Puts the record. The key fixes its time, so a repeat puts the same bytes and changes nothing (com.atproto.repo.putRecord).
 * A post with gates is created with them, and a repeat is rejected: the probe finds the post.
 */
const commit = async ({ ctx, account }: PlatformCall, ref: PreparedRef, rkey: string, built: unknown) => {
  const { service, accessJwt: token } = sessionOf(account)
  const createdAt = new Date(keyMs(rkey)).toISOString()
  const repo = account.externalId
  const { gates, ...bare } = z.parse(Ready, built ?? ref)
  const record = { ...bare, createdAt }
  if (gates) {
    const input = {
      json: { repo, validate: true, writes: writesOf({ uri: landed(repo, rkey).id, collection, rkey }, record, gates) },
    }
    const method = 'com.atproto.repo.applyWrites'
    await xrpc(ctx, { service, method, token, input, creates: true, reply: z.looseObject({ commit: z.unknown() }) })
    return landed(repo, rkey)
  }
  // `swapRecord: null` refuses to overwrite another record, and allows a put that changes nothing (PDS source, putRecord).
  const json = { repo, collection, rkey, validate: true, swapRecord: null, record }
  const method = 'com.atproto.repo.putRecord'
  await xrpc(ctx, { service, method, token, input: { json }, creates: true, reply: z.object({ uri: z.string() }) })
  return landed(repo, rkey)
}

const Records = z.object({
  records: z.array(z.object({ uri: z.string(), value: z.looseObject({ text: z.optional(z.string()) }) })),
})
/** Most records that a server lists per request (com.atproto.repo.listRecords). */
const pageSize = '100'

/** Looks for the text among the records whose keys contain a time since the attempt; the other bits of a key are random. */
const findByTime = async ({ ctx, account, post }: PlatformCall, attempt: UnconfirmedAttempt): Promise<ProbeResult> => {
  const repo = account.externalId
  const { service } = sessionOf(account)
  const { fromMs, untilMs } = windowOf(attempt, 0)
  const seen = await lookBack<z.infer<typeof Records>['records'][number], string>({
    clock: ctx.clock,
    fromMs,
    async read(cursor = makeTid(BigInt(untilMs) * 1000n, 0)) {
      const query = { repo, collection, limit: pageSize, cursor }
      const method = 'com.atproto.repo.listRecords'
      const { records } = await xrpc(ctx, { service, method, query, totalMs: pageMs, reply: Records })
      const last = records.at(-1)
      // However short a page is, only an empty one is the end.
      return { items: records, next: last && keyOf(last.uri) }
    },
    atMs: ({ uri }) => keyMs(keyOf(uri)),
    isOurs: ({ value }) => value.text === post.text,
  })
  return seen.kind === 'found' ? { kind: 'published', ...landed(repo, keyOf(seen.items[0].uri)) } : seen
}

/** Whether the record exists. */
const probe = async (call: PlatformCall, attempt: UnconfirmedAttempt): Promise<ProbeResult> => {
  const { clientKey: rkey, isRestored } = attempt
  const { ctx, account } = call
  const repo = account.externalId
  const { service } = sessionOf(account)
  const query = { repo, collection, rkey }
  try {
    await xrpc(ctx, { service, method: 'com.atproto.repo.getRecord', query, reply: z.object({ uri: z.string() }) })
    return { kind: 'published', ...landed(repo, rkey) }
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    if (!isAbsent(error)) return { kind: 'unclear' }
    return isRestored ? findByTime(call, attempt) : { kind: 'absent' }
  }
}

/** Deletes the record and its gates; a missing one counts as deleted (com.atproto.repo.deleteRecord). */
const remove = async ({ ctx, account, post }: PlatformCall, uri: string): Promise<void> => {
  const { service, accessJwt: token } = sessionOf(account)
  const method = 'com.atproto.repo.deleteRecord'
  const gates = gatesOf(z.parse(BlueskyMetadata, post.metadata ?? {}), post.replyTo)
  for (const from of [collection, ...(gates ? gateCollections : [])]) {
    const json = { repo: account.externalId, collection: from, rkey: keyOf(uri) }
    await xrpc(ctx, { service, method, token, input: { json }, reply: z.unknown() })
  }
}

/** Bluesky: the record's key makes a repeat harmless forever. */
export const bluesky: PlatformAdapter = {
  ...definition,
  reconcileMethod: 'key',
  repeatableSeconds: Number.POSITIVE_INFINITY,
  readLagSeconds: 60,
  makeKey,
  prepare,
  build,
  commit,
  findsByContent: ({ text }) => text !== '',
  commentCalls: 'reply',
  remove,
  probe,
}
