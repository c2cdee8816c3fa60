import * as z from 'zod/mini'
import type { MediaFile } from '../../media/media-file.ts'
import { kindOf } from '../../media/types.ts'
import { cutText } from '../../text/cut.ts'
import { dayMs, minuteMs } from '../../time.ts'
import type { PlatformCall, Prepared, PreparedRef } from '../adapter.ts'
import { classified, commonErrors } from '../platform-error.ts'
import { throttled } from './errors.ts'
import {
  finishVideo,
  type MediaCollection,
  openVideo,
  readMediaStatus,
  sendParts,
  uploadDocument,
  uploadImage,
  VideoUpload,
} from './media.ts'
import { type Mention, metadataOf, partsOf } from './metadata.ts'

const escapeAll = (text: string): string => text.replace(/[\\|{}@[\]()<>#*_~]/g, (letter) => `\\${letter}`)

/**
 * A text in LinkedIn's "little text" (LinkedIn, little Text Format). LinkedIn returns 201 for a text with one unescaped
 * character, and silently cuts it there. Decided: addresses are escaped as well, because the format reserves these letters
 * everywhere. Only the names of `mentions` become mentions: an `@` of an author is a letter.
 */
export const toLittleText = (text: string, mentions: readonly Mention[] = []): string => {
  const urns = new Map(mentions.map(({ name, organizationUrn }) => [name, organizationUrn]))
  return text.replace(partsOf([...urns.keys()]), (match, name: string | undefined, word: string | undefined) => {
    if (name !== undefined) return `@[${escapeAll(name)}](${urns.get(name)})`
    return word === undefined ? escapeAll(match) : `{hashtag|\\#|${word}}`
  })
}

/** The uploaded parts, between two phases. */
const Progress = z.object({
  startedAtMs: z.number(),
  /** Images, in their order. */
  images: z.array(z.string()),
  /** A video under way. */
  upload: z.optional(VideoUpload),
  /** A complete video. */
  video: z.optional(z.string()),
  document: z.optional(z.string()),
  /** LinkedIn returns no status, so the service waited instead. */
  waited: z.optional(z.boolean()),
})
type Progress = z.infer<typeof Progress>

/** An invocation starts no upload after this long: it ends well within its minute, however slow the network is. */
const phaseMs = 25_000
const preparedMs = dayMs
/** What LinkedIn has not processed after so long it will not process. */
const timeoutMs = 30 * minuteMs
/** How long media that cannot be queried takes (LinkedIn, Images API and Videos API; documents have no such value). */
const hiddenSeconds = { images: 3, videos: 30, documents: 30 } as const
const maxAltText = 4086

const wait = (waitSeconds: number, resume: Progress): Prepared => ({ waitSeconds, resume })

const altText = ({ altText: text }: MediaFile) => {
  return text ? { altText: cutText(text, maxAltText) } : {}
}

const contentOf = ({ post }: PlatformCall, { images, video, document }: Progress) => {
  const { documentTitle: title, poll, article } = metadataOf(post.metadata)
  if (article !== undefined) {
    const { url: source, title: heading, description } = article
    const [thumbnail] = images
    const card = {
      source,
      title: heading,
      ...(description ? { description } : {}),
      ...(thumbnail ? { thumbnail } : {}),
    }
    return { content: { article: card } }
  }
  if (poll !== undefined) {
    const { question, options, duration } = poll
    return { content: { poll: { question, options: options.map((text) => ({ text })), settings: { duration } } } }
  }
  if (document !== undefined) return { content: { media: { id: document, title } } }
  if (video !== undefined) return { content: { media: { id: video } } }
  const described = images.map((id, n) => ({ id, ...(post.media[n] ? altText(post.media[n]) : {}) }))
  if (described.length > 1) return { content: { multiImage: { images: described } } }
  return described.length === 1 ? { content: { media: described[0] } } : {}
}

/** The whole post except for its state, and what a later probe needs. */
const finish = (call: PlatformCall, progress: Progress): Prepared => {
  const { ctx, account, post } = call
  const { visibility = 'PUBLIC', reshareUrn, mentions } = metadataOf(post.metadata)
  const body = {
    author: account.externalId,
    commentary: toLittleText(post.text, mentions),
    visibility,
    distribution: { feedDistribution: 'MAIN_FEED', targetEntities: [], thirdPartyDistributionChannels: [] },
    ...contentOf(call, progress),
    ...(reshareUrn === undefined ? {} : { reshareContext: { parent: reshareUrn } }),
  }
  return { ready: { body, version: post.version }, expiresAtMs: ctx.clock.now() + preparedMs }
}

/** Ready if LinkedIn says so, or if it says nothing and enough time has passed. */
const awaitProcessing = async (call: PlatformCall, kind: MediaCollection, urns: readonly string[], of: Progress) => {
  for (const urn of urns) {
    const status = await readMediaStatus(call, kind, urn)
    if (status === 'hidden') return of.waited ? finish(call, of) : wait(hiddenSeconds[kind], { ...of, waited: true })
    if (status === 'ready') continue
    if (call.ctx.clock.now() - of.startedAtMs < timeoutMs) return wait(10, of)
    throw classified('LinkedIn', commonErrors.stillProcessing, { preparedGone: true })
  }
  return finish(call, of)
}

/** The files that are uploaded: those of the post, or the image of its card. */
const filesOf = ({ post: { media, assets } }: PlatformCall): readonly MediaFile[] =>
  media.length > 0 ? media : Object.values(assets)

const prepareImages = async (call: PlatformCall, known: Progress): Promise<Prepared> => {
  const files = filesOf(call)
  const untilMs = call.ctx.clock.now() + phaseMs
  const images = [...known.images]
  for (const file of files.slice(images.length)) {
    if (call.ctx.clock.now() >= untilMs) break
    images.push(await uploadImage(call, file))
  }
  const progress = { ...known, images }
  if (images.length < files.length) return wait(1, progress)
  // Just uploaded: LinkedIn needs a moment.
  if (images.length > known.images.length) return wait(hiddenSeconds.images, progress)
  return awaitProcessing(call, 'images', images, progress)
}

const prepareVideo = async (call: PlatformCall, file: MediaFile, known: Progress): Promise<Prepared> => {
  if (known.video !== undefined) return awaitProcessing(call, 'videos', [known.video], known)
  const now = call.ctx.clock.now()
  const lives = known.upload !== undefined && known.upload.expiresAtMs > now + phaseMs
  const opened = lives && known.upload ? known.upload : await openVideo(call, file)
  const upload = await sendParts(call, opened, now + phaseMs)
  if (upload.etags.length < upload.parts.length) return wait(1, { ...known, upload })
  await finishVideo(call, upload)
  const { upload: _done, ...rest } = known
  return wait(5, { ...rest, video: upload.urn })
}

const prepareDocument = async (call: PlatformCall, file: MediaFile, known: Progress): Promise<Prepared> => {
  if (known.document !== undefined) return awaitProcessing(call, 'documents', [known.document], known)
  return wait(5, { ...known, document: await uploadDocument(call, file) })
}

const prepareFiles = {
  image: (call: PlatformCall, _first: MediaFile, known: Progress) => prepareImages(call, known),
  video: prepareVideo,
  document: prepareDocument,
}

/** Uploads images, a video, or a document and waits until LinkedIn can show them, in phases. */
export const prepare = async (call: PlatformCall, resume: PreparedRef | undefined): Promise<Prepared> => {
  const known = z.safeParse(Progress, resume).data
  const progress: Progress = known ?? { startedAtMs: call.ctx.clock.now(), images: [] }
  const [first] = filesOf(call)
  if (first === undefined) return finish(call, progress)
  const kind = kindOf(first.mimeType)
  // The rules allow no other file.
  if (kind === 'captions') return finish(call, progress)
  return prepareFiles[kind](call, first, progress).catch((error: unknown) => {
    throw throttled(call, error)
  })
}
