import * as z from 'zod/mini'
import { readRange } from '../../aws/bucket.ts'
import type { Context } from '../../context.ts'
import { codePoints } from '../../text/counting.ts'
import { cutText } from '../../text/cut.ts'
import { baseUrlOf } from '../base-urls.ts'
import { Track } from '../captions.ts'
import { assertUploadAddress, fileRange } from '../files.ts'
import { type ErrorResponse, type PlatformResponse, type RequestBody, sendRequest, unclearResponse } from '../http.ts'
import { PlatformError } from '../platform-error.ts'
import type { OutgoingPost } from '../post.ts'
import { definition, maxTitle, YouTubeMetadata } from './definition.ts'
import { classifyYouTubeError } from './errors.ts'
import { Thumbnail } from './thumbnail.ts'

/** The title if the author gave none: the first line of the text, otherwise the name of the file. */
const defaultTitle = ({ text, media }: OutgoingPost): string => {
  const lines = [...text.split(/\r?\n/), media[0]?.originalFilename ?? '', 'Video']
  const titles = lines.map((line) => cutText(line.replace(/[<>]/g, '').trim(), maxTitle, codePoints).trim())
  return titles.find((title) => title !== '') ?? ''
}

/** The video resource for YouTube. */
export const describeVideo = (post: OutgoingPost) => {
  const metadata = z.parse(YouTubeMetadata, post.metadata ?? {})
  const { title = defaultTitle(post), tags = [], categoryId = '22', privacyStatus = 'public' } = metadata
  const { containsSyntheticMedia, hasPaidProductPlacement, defaultLanguage } = metadata
  return {
    // False only if the author turned off notifications to subscribers.
    notifySubscribers: metadata.notifySubscribers ?? true,
    resource: {
      snippet: {
        title,
        description: post.text,
        ...(tags.length > 0 ? { tags } : {}),
        categoryId,
        ...(defaultLanguage === undefined ? {} : { defaultLanguage }),
      },
      // Always set: if omitted, it would mean public (revision history, 2026-11-02).
      status: {
        privacyStatus,
        selfDeclaredMadeForKids: metadata.madeForKids ?? false,
        ...(containsSyntheticMedia === undefined ? {} : { containsSyntheticMedia }),
      },
      ...(hasPaidProductPlacement === undefined ? {} : { paidProductPlacementDetails: { hasPaidProductPlacement } }),
    },
  }
}

/** The progress of a session: the whole video arrived and exists, or a number of its bytes. */
type Progress = { kind: 'done'; id: string } | { kind: 'open'; stored: number }

const hosts = ['.googleapis.com']
const path = '/upload/youtube/v3/videos'

/** Opens a session; nothing exists before the last byte (YouTube Data API, Resumable Uploads). Returns its address. */
export const openSession = async (
  ctx: Context,
  token: string,
  file: { mimeType: string; fileSize: number },
  { resource, notifySubscribers }: ReturnType<typeof describeVideo>,
): Promise<string> => {
  const { headers, status } = await sendRequest(ctx, {
    platform: definition,
    method: 'POST',
    base: baseUrlOf(ctx, definition, 'api'),
    path,
    query: {
      uploadType: 'resumable',
      part: Object.keys(resource).join(','),
      notifySubscribers: String(notifySubscribers),
    },
    headers: {
      authorization: `Bearer ${token}`,
      'x-upload-content-length': String(file.fileSize),
      'x-upload-content-type': file.mimeType,
    },
    body: { type: 'application/json; charset=UTF-8', bytes: JSON.stringify(resource) },
    classifyError: classifyYouTubeError,
  })
  const { location } = headers
  if (location === undefined) throw unclearResponse({ platform: definition }, 'no Location', status)
  return assertUploadAddress(ctx, definition, location, hosts)
}

/** The session no longer exists: if its last byte was never sent, nothing exists and another one may be opened. */
const classifySessionError = (answer: ErrorResponse, creates: boolean): PlatformError => {
  const { status } = answer
  if (status !== 404 && status !== 410) {
    const error = classifyYouTubeError(answer)
    // A response before the last bytes: it says nothing about the content, and another worker may be at the same upload.
    const isMisfit = !creates && error.errorClass === 'invalid'
    return isMisfit ? new PlatformError('transient', error.message, error.info) : error
  }
  return new PlatformError('transient', 'YouTube dropped the upload.', { httpStatus: status, preparedGone: true })
}

const Video = z.object({ id: z.string() })

const progressOf = (answer: PlatformResponse, creates: boolean): Progress => {
  const { status, headers, body } = answer
  if (status === 308) {
    const [, last] = /^bytes=0-(\d+)$/.exec(headers['range'] ?? '') ?? []
    return { kind: 'open', stored: last === undefined ? 0 : Number(last) + 1 }
  }
  const video = z.safeParse(Video, body)
  if (!video.success) throw unclearResponse({ platform: definition, creates }, 'unexpected response body', status)
  return { kind: 'done', id: video.data.id }
}

interface Put {
  token: string
  session: string
  range: string
  body?: RequestBody
  /** It completes the video. */
  creates?: boolean
}

const put = async (ctx: Context, { token, session, range, body, creates = false }: Put): Promise<Progress> => {
  const answer = await sendRequest(ctx, {
    platform: definition,
    method: 'PUT',
    base: baseUrlOf(ctx, definition, 'api'),
    path: body ? path : `${path} (state)`,
    address: assertUploadAddress(ctx, definition, session, hosts),
    headers: {
      authorization: `Bearer ${token}`,
      'content-range': range,
      ...(body ? {} : { 'content-length': '0' }),
    },
    ...(body ? { body } : {}),
    accepts: [308],
    creates,
    totalMs: creates ? 30_000 : 20_000,
    classifyError: (answer) => classifySessionError(answer, creates),
  })
  return progressOf(answer, creates)
}

/** Sends bytes to a session. */
const putRange = (ctx: Context, request: Put & { body: RequestBody }): Promise<Progress> => put(ctx, request)

/** Asks a session how far it is. */
export const askSession = (ctx: Context, { token, session, size }: { token: string; session: string; size: number }) =>
  put(ctx, { token, session, range: `bytes */${size}` })

/** A video during its upload, as journaled: everything that its later calls need. */
export const Upload = z.object({
  session: z.string(),
  storageKey: z.string(),
  mimeType: z.string(),
  size: z.int(),
  /** The first byte that YouTube has not got. */
  next: z.int(),
  title: z.string(),
  thumbnail: z.optional(Thumbnail),
  playlistId: z.optional(z.string()),
  tracks: z.optional(z.array(Track)),
  expiresAtMs: z.number(),
})
export type Upload = z.infer<typeof Upload>

/**
 * Ranges begin at multiples of this (YouTube Data API, Resumable Uploads), so the last one, which publishes, has at
 * most as much.
 */
const grain = 262_144
const rangeBytes = 64 * grain

/** An invocation starts no range after this long: it ends well within its minute, however slow the network is. */
const phaseMs = 25_000

/** The start of the range that completes the video. */
export const lastFrom = (size: number): number => Math.floor((size - 1) / grain) * grain

/** Sends ranges until the last one is left or the phase is over; returns the progress of the upload. */
export const sendRanges = async (ctx: Context, token: string, upload: Upload): Promise<Upload> => {
  const { session, size } = upload
  const [startedMs, until] = [ctx.clock.now(), lastFrom(size)]
  let { next } = upload
  while (next < until && ctx.clock.now() - startedMs < phaseMs) {
    const end = Math.min(next + rangeBytes, until)
    const body = fileRange(ctx, upload, next, end - 1)
    const progress = await putRange(ctx, { token, session, range: `bytes ${next}-${end - 1}/${size}`, body })
    const stored = progress.kind === 'open' ? progress.stored : size
    if (stored <= next) throw unclearResponse({ platform: definition }, 'no progress')
    next = stored
  }
  return { ...upload, next }
}

/** The bytes that complete the video, read before the moment. */
export const readLast = (ctx: Context, { storageKey, size }: Upload): Promise<Uint8Array> =>
  readRange(ctx, storageKey, { from: lastFrom(size), to: size - 1 })

/** Sends them; the video exists when the response has its ID. */
export const sendLast = (ctx: Context, token: string, upload: Upload, bytes: Uint8Array): Promise<Progress> => {
  const { session, size, mimeType } = upload
  const range = `bytes ${lastFrom(size)}-${size - 1}/${size}`
  return putRange(ctx, { token, session, range, body: { type: mimeType, bytes }, creates: true })
}
