import * as z from 'zod/mini'
import { readRange } from '../../aws/bucket.ts'
import type { MediaFile } from '../../media/media-file.ts'
import { codePoints } from '../../text/counting.ts'
import { cutText } from '../../text/cut.ts'
import type { PlatformCall } from '../adapter.ts'
import { readTrack, type Track } from '../captions.ts'
import { multipart } from '../multipart.ts'
import { PlatformError } from '../platform-error.ts'
import { callX } from './api.ts'

/** The upload of a file to X: started, all segments sent, or ready. */
export const Upload = z.object({
  mediaId: z.string(),
  nextSegment: z.int(),
  state: z.enum(['sending', 'processing', 'ready']),
})
export type Upload = z.infer<typeof Upload>

/** X accepts segments of 5 MB; a preparation sends this many in one phase, and continues later. */
const segmentBytes = 4 * 1024 * 1024
const segmentsAtOnce = 40
const maxAltCharacters = 1000

const Begun = z.object({ data: z.object({ id: z.string() }) })
const Processing = z.object({
  data: z.object({
    processing_info: z.optional(
      z.object({
        state: z.string(),
        check_after_secs: z.optional(z.number()),
        error: z.optional(z.object({ message: z.optional(z.string()) })),
      }),
    ),
  }),
})

const categoryOf = ({ mimeType }: MediaFile) => {
  if (mimeType.startsWith('video/')) return 'tweet_video'
  return mimeType === 'image/gif' ? 'tweet_gif' : 'tweet_image'
}

export const beginUpload = async (call: PlatformCall, file: MediaFile): Promise<Upload> => {
  const json = { media_type: file.mimeType, total_bytes: file.fileSize, media_category: categoryOf(file) }
  const { data } = await callX(call, { path: '/2/media/upload/initialize', body: { json }, reply: Begun })
  return { mediaId: data.id, nextSegment: 0, state: 'sending' }
}

const sendSegment = async (call: PlatformCall, file: MediaFile, { mediaId, nextSegment }: Upload) => {
  const from = nextSegment * segmentBytes
  const to = Math.min(from + segmentBytes, file.fileSize) - 1
  const body = multipart([
    { name: 'segment_index', value: String(nextSegment) },
    {
      name: 'media',
      value: await readRange(call.ctx, file.storageKey, { from, to }),
      filename: 'segment',
      type: file.mimeType,
    },
  ])
  await callX(call, { path: '/2/media/upload/{id}/append', params: { id: mediaId }, body, reply: z.unknown() })
}

/** A missing alternative text is a loss, but not one that should delay the post. */
const describe = async (call: PlatformCall, { altText }: MediaFile, { mediaId: id }: Upload) => {
  if (!altText) return
  const text = cutText(altText, maxAltCharacters, codePoints)
  const json = { id, metadata: { alt_text: { text } } }
  await callX(call, { path: '/2/media/metadata', body: { json }, reply: z.unknown() }).catch((error: unknown) => {
    if (!(error instanceof PlatformError)) throw error
    call.ctx.log.warn('alternative text not set', { platform: 'x', reason: error.message })
  })
}

/**
 * Captions for an uploaded video: a separate file, and a call that joins both (X API, POST /2/media/subtitles). The effect
 * of a second track is not documented, so there is only one.
 */
export const addSubtitles = async (call: PlatformCall, videoId: string, track: Track): Promise<void> => {
  const { format } = track
  const bytes = await readTrack(call.ctx, track)
  const json = { media_type: `text/${format}`, total_bytes: bytes.length, media_category: 'subtitles' }
  const { data } = await callX(call, { path: '/2/media/upload/initialize', body: { json }, reply: Begun })
  const params = { id: data.id }
  const body = multipart([
    { name: 'segment_index', value: '0' },
    { name: 'media', value: bytes, filename: 'segment', type: `text/${format}` },
  ])
  await callX(call, { path: '/2/media/upload/{id}/append', params, body, reply: z.unknown() })
  await callX(call, { path: '/2/media/upload/{id}/finalize', params, body: 'none', reply: z.unknown() })
  const subtitles = { id: data.id, display_name: track.name, language_code: track.language.toUpperCase() }
  const joined = { id: videoId, media_category: 'TweetVideo', subtitles }
  await callX(call, { path: '/2/media/subtitles', body: { json: joined }, reply: z.unknown() })
}

/** How long X asks to wait before the next status query; undefined when the file is ready. */
const readState = ({ data: { processing_info: info } }: z.infer<typeof Processing>): number | undefined => {
  if (info === undefined || info.state === 'succeeded') return undefined
  if (info.state !== 'failed') return Math.min(30, Math.max(1, info.check_after_secs ?? 5))
  throw new PlatformError('invalid', `X could not process the file: ${info.error?.message ?? 'no reason given'}`)
}

/** Continues an upload as far as possible; returns how many seconds to wait before it continues, if it is not ready. */
export const resumeUpload = async (
  call: PlatformCall,
  file: MediaFile,
  upload: Upload,
): Promise<{ upload: Upload; waitSeconds?: number }> => {
  if (upload.state === 'ready') return { upload }
  const params = { id: upload.mediaId }
  if (upload.state === 'processing') {
    const query = { command: 'STATUS', media_id: upload.mediaId }
    const waitSeconds = readState(await callX(call, { path: '/2/media/upload', query, reply: Processing }))
    return waitSeconds === undefined ? { upload: { ...upload, state: 'ready' } } : { upload, waitSeconds }
  }
  const segments = Math.ceil(file.fileSize / segmentBytes)
  const until = Math.min(segments, upload.nextSegment + segmentsAtOnce)
  for (let n = upload.nextSegment; n < until; n += 1) await sendSegment(call, file, { ...upload, nextSegment: n })
  if (until < segments) return { upload: { ...upload, nextSegment: until }, waitSeconds: 0 }
  const path = '/2/media/upload/{id}/finalize'
  const waitSeconds = readState(await callX(call, { path, params, body: 'none', reply: Processing }))
  await describe(call, file, upload)
  const sent = { ...upload, nextSegment: segments }
  return waitSeconds === undefined
    ? { upload: { ...sent, state: 'ready' } }
    : { upload: { ...sent, state: 'processing' }, waitSeconds }
}
