import { randomInt } from 'node:crypto'
import { MultipartError, parseMultipart } from '../../pages/multipart.ts'
import type { Answer } from '../../pages/server.ts'
import type { Call, PublicMedia, Route, SimulatorContext } from '../standin.ts'
import { refuse } from './refuse.ts'
import type { MastodonPerson } from './seed.ts'

interface StoredMedia {
  id: string
  owner: string
  type: string
  description: string | null
  /** From this time on it is processed. */
  readyAtMs: number
  isPosted: boolean
}

const images = ['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/heic', 'image/avif']
const videos = ['video/webm', 'video/mp4', 'video/quicktime']
/** The types that a server accepts. */
export const supportedTypes: readonly string[] = [...images, ...videos]
const mebibyte = 1024 * 1024
const maxDescription = 1500
/** Images are ready immediately, videos a little later (Mastodon API, media, 4.0.0). */
const processingMs = 3_000

/** Files: uploaded, processed, and attached to one post. */
export function openMedia(
  { clock, url, blobs, keep }: SimulatorContext,
  ownerOf: (call: Call, scope: string) => MastodonPerson,
) {
  const media = keep<StoredMedia>('media')

  function partsOf(call: Call) {
    try {
      return parseMultipart(call.headers['content-type'] ?? '', call.body)
    } catch (error) {
      if (error instanceof MultipartError) return refuse(422, `Validation failed: ${error.message}`)
      throw error
    }
  }
  function upload(call: Call): Answer {
    const owner = ownerOf(call, 'write:media')
    const parts = partsOf(call)
    const file = parts.find(({ name }) => name === 'file')
    const type = file?.type ?? ''
    if (file === undefined) return refuse(422, "Validation failed: File can't be blank")
    if (!supportedTypes.includes(type)) {
      return refuse(422, 'Validation failed: File content type is invalid, File is invalid')
    }
    const isImage = images.includes(type)
    const max = (isImage ? 16 : 99) * mebibyte
    if (file.bytes.length >= max) refuse(422, `Validation failed: File file size must be less than ${max} Bytes`)
    const description = parts.find(({ name }) => name === 'description')?.bytes.toString() ?? null
    if ([...(description ?? '')].length > maxDescription) {
      refuse(422, `Validation failed: Description is too long (maximum is ${maxDescription} characters)`)
    }
    const id = `11${String(clock.now())}${randomInt(1000, 10_000)}`
    blobs.put(id, file.bytes)
    const readyAtMs = clock.now() + (isImage ? 0 : processingMs)
    const stored = { id, owner: owner.id, type, description, readyAtMs, isPosted: false }
    media.set(id, stored)
    return { status: isImage ? 200 : 202, body: show(stored) }
  }
  function own(call: Call): StoredMedia {
    const owner = ownerOf(call, 'write:media')
    const stored = media.get(call.params['id'] ?? '')
    return stored === undefined || stored.owner !== owner.id || stored.isPosted
      ? refuse(404, 'Record not found')
      : stored
  }
  function read(call: Call): Answer {
    const stored = own(call)
    return { status: isReady(stored) ? 200 : 206, body: show(stored) }
  }
  const isReady = ({ readyAtMs }: StoredMedia) => readyAtMs <= clock.now()

  function show(stored: StoredMedia): Record<string, unknown> {
    const { id, type, description } = stored
    const address = isReady(stored) ? `${url}/system/media/${id}` : null
    const kind = type === 'image/gif' ? 'gifv' : type.split('/')[0]
    return { id, type: kind, url: address, preview_url: address, remote_url: null, description, blurhash: null }
  }
  /** Attaches files to a post, all or none. */
  function take(owner: string, ids: readonly string[]): StoredMedia[] {
    if (ids.length > 4) refuse(422, 'Validation failed: Cannot attach more than 4 files')
    const taken = ids.map((id) => media.get(id))
    const missing = ids.filter((_, n) => taken[n]?.owner !== owner || taken[n]?.isPosted)
    if (missing.length > 0) refuse(422, `Media ${missing.join(', ')} not found or already attached to another post`)
    const files = taken.flatMap((file) => file ?? [])
    if (files.length > 1 && files.some(({ type }) => videos.includes(type))) {
      refuse(422, 'Cannot attach a video to a post that already contains images')
    }
    if (!files.every(isReady))
      refuse(422, 'Cannot attach files that have not finished processing. Try again in a moment!')
    for (const file of files) media.set(file.id, { ...file, isPosted: true })
    return files
  }
  function shownOf(ids: readonly string[]): StoredMedia[] {
    return ids.flatMap((id) => media.get(id) ?? [])
  }
  const toPublic = (ids: readonly string[]): PublicMedia[] =>
    shownOf(ids).map(({ id, type, description }) => ({ key: id, type, alt: description ?? '' }))

  const routes: Route[] = [
    { method: 'POST', path: '/api/v2/media', operation: 'upload', answer: upload },
    { method: 'GET', path: '/api/v1/media/:id', operation: 'media', answer: read },
  ]
  return { routes, take, toPublic, show: (ids: readonly string[]) => shownOf(ids).map(show) }
}
