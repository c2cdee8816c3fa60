import * as z from 'zod/mini'
import { dayMs } from '../../../../shared/time.ts'
import { parseMultipart } from '../../pages/multipart.ts'
import type { Answer } from '../../pages/server.ts'
import type { Call, PublicMedia, Route, SimulatorContext } from '../standin.ts'
import { readJson } from './read-json.ts'
import { refuse, refuseRequest } from './refuse.ts'
import type { Owner } from './tweet.ts'

/** A file someone uploads. */
export interface StoredUpload {
  id: string
  owner: string
  type: string
  category: string
  totalBytes: number
  segments: number[]
  state: 'open' | 'processing' | 'succeeded'
  alt: string
  /** The name of its captions. */
  captions?: string
  createdAt: number
}

/** A file of a tweet, with its captions. */
export interface TakenMedia {
  media: PublicMedia
  captions: string | undefined
}

const maxSegmentBytes = 5 * 1024 * 1024

const Initialize = z.strictObject({
  media_type: z.enum([
    'image/jpeg',
    'image/png',
    'image/webp',
    'image/gif',
    'video/mp4',
    'video/quicktime',
    'text/srt',
    'text/vtt',
  ]),
  total_bytes: z.int().check(z.positive()),
  media_category: z.enum(['tweet_image', 'tweet_gif', 'tweet_video', 'subtitles']),
})

const Metadata = z.strictObject({
  id: z.string(),
  metadata: z.strictObject({ alt_text: z.strictObject({ text: z.string().check(z.maxLength(1000)) }) }),
})

const Subtitles = z.strictObject({
  id: z.string(),
  media_category: z.literal('TweetVideo'),
  subtitles: z.strictObject({
    id: z.string(),
    display_name: z.string().check(z.minLength(1)),
    language_code: z.string().check(z.regex(/^[A-Z]{2}$/)),
  }),
})

const largest: Readonly<Record<string, number>> = {
  tweet_image: 5_000_000,
  tweet_gif: 15_000_000,
  tweet_video: 8_000_000_000,
  subtitles: 1_000_000,
}

/** Uploads in segments; a video is processed for a while after its last one. */
export function openMedia({ clock, keep, blobs }: SimulatorContext, ownerOf: (call: Call) => Owner) {
  const uploads = keep<StoredUpload>('uploads')

  function own(call: Call, id: string): StoredUpload {
    const upload = uploads.get(id)
    const fresh = upload !== undefined && upload.createdAt + dayMs > clock.now()
    if (!fresh || upload.owner !== ownerOf(call).id) return refuseRequest('media_id: unknown or expired')
    return upload
  }

  function initialize(call: Call): Answer {
    const { media_type: type, total_bytes: totalBytes, media_category: category } = readJson(Initialize, call)
    if (totalBytes > (largest[category] ?? 0)) refuseRequest(`total_bytes: too large for ${category}`)
    const id = String(1_880_000_000_000_000_000n + BigInt(uploads.values().length))
    const made = { totalBytes, segments: [], state: 'open' as const, alt: '', createdAt: clock.now() }
    uploads.set(id, { id, owner: ownerOf(call).id, type, category, ...made })
    return { status: 200, body: { data: { id, media_key: `7_${id}`, expires_after_secs: 86_400 } } }
  }

  function append(call: Call): Answer {
    const upload = own(call, call.params['id'] ?? '')
    const parts = parseMultipart(call.headers['content-type'] ?? '', call.body)
    const index = Number(parts.find(({ name }) => name === 'segment_index')?.bytes.toString())
    const media = parts.find(({ name }) => name === 'media')
    if (!Number.isInteger(index) || index < 0 || index > 999) refuseRequest('segment_index: must be 0 to 999')
    if (media === undefined || media.bytes.length === 0) return refuseRequest('media: is missing')
    if (media.bytes.length > maxSegmentBytes) refuse(413, 'Payload Too Large', 'A segment may have 5 MB')
    blobs.put(`${upload.id}-${index}`, media.bytes)
    uploads.set(upload.id, { ...upload, segments: [...new Set([...upload.segments, index])].sort((a, b) => a - b) })
    return { status: 200, body: { data: { expires_at: Math.floor((upload.createdAt + dayMs) / 1000) } } }
  }

  function describeState({ id, totalBytes, state }: StoredUpload): Answer {
    const processing =
      state === 'succeeded' ? { state } : { state: 'in_progress', check_after_secs: 5, progress_percent: 50 }
    const data = { id, media_key: `7_${id}`, size: totalBytes, expires_after_secs: 86_400 }
    return { status: 200, body: { data: { ...data, ...(state === 'open' ? {} : { processing_info: processing }) } } }
  }

  function finalize(call: Call): Answer {
    const upload = own(call, call.params['id'] ?? '')
    const whole = Buffer.concat(upload.segments.map((n) => blobs.get(`${upload.id}-${n}`) ?? Buffer.alloc(0)))
    if (whole.length !== upload.totalBytes || upload.segments.some((n, at) => n !== at)) {
      refuseRequest(`media: ${whole.length} of ${upload.totalBytes} bytes have arrived`)
    }
    blobs.put(upload.id, whole)
    const isVideo = upload.category === 'tweet_video'
    const now: StoredUpload = { ...upload, state: isVideo ? 'processing' : 'succeeded' }
    uploads.set(upload.id, now)
    return describeState(isVideo ? now : { ...now, state: 'open' })
  }

  function status(call: Call): Answer {
    const upload = own(call, call.query.get('media_id') ?? '')
    if (call.query.get('command') !== 'STATUS') refuseRequest('command: must be STATUS')
    const seen = describeState({ ...upload, state: 'succeeded' })
    uploads.set(upload.id, { ...upload, state: 'succeeded' })
    return seen
  }

  function describe(call: Call): Answer {
    const { id, metadata } = readJson(Metadata, call)
    uploads.set(id, { ...own(call, id), alt: metadata.alt_text.text })
    return { status: 200, body: { data: { id } } }
  }

  function addSubtitles(call: Call): Answer {
    const { id, media_category, subtitles } = readJson(Subtitles, call)
    const [video, track] = [own(call, id), own(call, subtitles.id)]
    if (video.category !== 'tweet_video' || video.state !== 'succeeded') refuseRequest('id: is no video that is ready')
    if (track.category !== 'subtitles' || track.state !== 'succeeded') refuseRequest('subtitles: are not uploaded')
    uploads.set(id, { ...video, captions: `${subtitles.display_name} (${subtitles.language_code})` })
    return { status: 200, body: { data: { id, media_category, associated_subtitles: subtitles } } }
  }

  const base = '/2/media/upload'
  const routes: Route[] = [
    { method: 'POST', path: `${base}/initialize`, operation: 'upload', answer: initialize },
    { method: 'POST', path: `${base}/:id/append`, operation: 'append', answer: append },
    { method: 'POST', path: `${base}/:id/finalize`, operation: 'finalize', answer: finalize },
    { method: 'GET', path: base, operation: 'status', answer: status },
    { method: 'POST', path: '/2/media/subtitles', operation: 'subtitles', answer: addSubtitles },
    { method: 'POST', path: '/2/media/metadata', operation: 'describe', answer: describe },
  ]
  return {
    routes,
    /** The files of a tweet, if they are ready, owned by the author, and can be combined. */
    take(owner: string, ids: readonly string[]): TakenMedia[] {
      const attached = ids.flatMap((id) => uploads.get(id) ?? [])
      const ready = attached.filter(
        (file) =>
          file.owner === owner &&
          file.createdAt + dayMs > clock.now() &&
          blobs.get(file.id) &&
          file.state !== 'processing',
      )
      if (ready.length !== ids.length) refuse(400, 'Invalid Request', 'Your media IDs are invalid.', 'invalid-request')
      const kinds = new Set(ready.map(({ category }) => category))
      if (kinds.size > 1 || (ready.length > 1 && !kinds.has('tweet_image')))
        refuseRequest('media: cannot stand together')
      return ready.map(({ id, type, alt, captions }) => ({ media: { key: id, type, alt }, captions }))
    },
  }
}
