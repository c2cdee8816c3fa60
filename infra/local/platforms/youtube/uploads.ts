import { randomBytes } from 'node:crypto'
import { captionsFormatOf } from '../../../../shared/media/captions.ts'
import { dayMs } from '../../../../shared/time.ts'
import type { Answer } from '../../pages/server.ts'
import type { Call, Route, SimulatorContext } from '../standin.ts'
import type { StoredMap } from '../stored-map.ts'
import { refuse } from './refuse.ts'
import { readRelated } from './related.ts'
import type { YouTubePerson } from './seed.ts'
import { readCaptions, readVideo, type VideoInput } from './video.ts'

/** A resumable session; the video exists once it is complete. */
export interface UploadSession {
  id: string
  ownerId: string
  input: VideoInput
  size: number
  type: string
  starts: number[]
  received: number
  openedAt: number
  video: { id: string; publishedAt: number } | null
  /** The type of the image that was set as the thumbnail. */
  thumbnail?: string
  /** Its captions: languages and names. */
  captions?: readonly string[]
  /** The playlists that it was put into. */
  playlists?: readonly string[]
}

const lifeMs = 7 * dayMs
const grain = 262_144
const path = '/upload/youtube/v3/videos'

/** A video from another source. */
export function addOther(
  { clock }: SimulatorContext,
  sessions: StoredMap<UploadSession>,
  owner: YouTubePerson | undefined,
  title: string,
): void {
  if (owner === undefined) return
  const id = randomBytes(16).toString('hex')
  const input: VideoInput = { snippet: { title, categoryId: '22' }, status: { privacyStatus: 'public' } }
  const video = { id: randomBytes(8).toString('base64url'), publishedAt: clock.now() }
  const sizes = { size: 1, starts: [], received: 1, openedAt: clock.now() }
  sessions.set(id, { id, ownerId: owner.id, input, type: 'video/mp4', ...sizes, video })
}

/** Videos arrive in ranges of one session, each starting where the previous one ended. */
export function openUploads(
  { clock, url, blobs }: SimulatorContext,
  sessions: StoredMap<UploadSession>,
  ownerOf: (call: Call) => YouTubePerson,
  editorOf: (call: Call) => YouTubePerson,
): Route[] {
  function open(call: Call): Answer {
    const owner = ownerOf(call)
    const size = Number(call.headers['x-upload-content-length'])
    const type = call.headers['x-upload-content-type'] ?? ''
    if (call.query.get('uploadType') !== 'resumable') {
      refuse(400, 'badRequest', 'uploadType is not what a resumable upload needs')
    }
    if (!Number.isInteger(size) || size < 1 || !/^(video\/.+|application\/octet-stream)$/.test(type)) {
      refuse(400, 'badContent', 'X-Upload-Content-Length or X-Upload-Content-Type is missing or wrong')
    }
    const id = randomBytes(16).toString('hex')
    const opened = { id, ownerId: owner.id, size, type, starts: [], received: 0, openedAt: clock.now(), video: null }
    sessions.set(id, { ...opened, input: readVideo(call) })
    return { status: 200, headers: { location: `${url}${path}?uploadType=resumable&upload_id=${id}` } }
  }

  /** The description and the whole video in one request (Google API, Multipart upload). */
  function insert(call: Call): Answer {
    const owner = ownerOf(call)
    const [about, video] = readRelated(call)
    if (about === undefined || video === undefined) return refuse(400, 'mediaBodyRequired', 'Two parts are needed')
    const headers = { ...call.headers, 'content-type': `${about.type}; charset=utf-8` }
    const id = randomBytes(16).toString('hex')
    const size = video.bytes.length
    const opened = { id, ownerId: owner.id, size, type: video.type, starts: [], received: 0, openedAt: clock.now() }
    const input = readVideo({ ...call, headers, body: about.bytes })
    return show(take({ ...opened, input, video: null }, video.bytes, true))
  }

  function sessionOf(call: Call): UploadSession {
    const owner = ownerOf(call)
    const session = sessions.get(call.query.get('upload_id') ?? '')
    const live = session && session.ownerId === owner.id && session.openedAt + lifeMs > clock.now()
    return live ? session : refuse(404, 'notFound', 'The upload session is not there any more')
  }

  function put(call: Call): Answer {
    const session = sessionOf(call)
    const range = call.headers['content-range'] ?? ''
    if (call.headers['content-length'] === undefined) return refuse(411, 'lengthRequired', 'Content-Length is missing')
    if (range === `bytes */${session.size}` && call.body.length === 0) return show(session)
    if (session.video !== null) return show(session)
    // The whole file in one request needs no range (Google API, Resumable uploads).
    const isWhole = range === '' && session.received === 0 && call.body.length === session.size
    if (isWhole) return show(take(session, call.body, true))
    const [, from, to, total] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(range) ?? []
    const [first, last] = [Number(from), Number(to)]
    const fits = total === String(session.size) && last - first + 1 === call.body.length && last < session.size
    const isLast = last === session.size - 1
    const isGrain = isLast || call.body.length % grain === 0
    if (!fits || !isGrain || first !== session.received) {
      return refuse(400, 'badRequest', `The range ${range} is not what can follow`)
    }
    return show(take(session, call.body, isLast))
  }

  function take(session: UploadSession, bytes: Buffer, isLast: boolean): UploadSession {
    blobs.put(`${session.id}-${session.received}`, bytes)
    const starts = [...session.starts, session.received]
    const video = isLast ? { id: randomBytes(8).toString('base64url'), publishedAt: clock.now() } : null
    const next = { ...session, starts, received: session.received + bytes.length, video }
    sessions.set(session.id, next)
    if (isLast) join(next)
    return next
  }

  /** The ranges become one video. */
  function join({ id, starts }: UploadSession): void {
    const keys = starts.map((start) => `${id}-${start}`)
    blobs.put(id, Buffer.concat(keys.map((key) => blobs.get(key) ?? Buffer.alloc(0))))
    for (const key of keys) blobs.put(key, Buffer.alloc(0))
  }

  function setThumbnail(call: Call): Answer {
    const owner = ownerOf(call)
    const type = call.headers['content-type'] ?? ''
    const id = call.query.get('videoId')
    const session = sessions.values().find(({ ownerId, video }) => ownerId === owner.id && video?.id === id)
    if (session === undefined) return refuse(404, 'videoNotFound', 'The video was not found')
    if (call.body.length === 0) refuse(400, 'mediaBodyRequired', 'The request does not include the image')
    if (!imageTypes.includes(type) || !isImage(call.body)) refuse(400, 'invalidImage', 'The image is not valid')
    if (call.body.length > maxThumbnailBytes) refuse(413, 'uploadTooLarge', 'The image is too large')
    blobs.put(thumbnailKey(session.id), call.body)
    sessions.set(session.id, { ...session, thumbnail: type })
    const image = (width: number, height: number) => ({ url: `https://i.ytimg.test/vi/${id}.jpg`, width, height })
    const items = [{ default: image(120, 90), medium: image(320, 180), high: image(480, 360) }]
    return { status: 200, body: { kind: 'youtube#thumbnailSetResponse', etag: 'local', items } }
  }

  /** One track of a language and a name for each video. */
  function insertCaptions(call: Call): Answer {
    const owner = editorOf(call)
    const [about, file] = readRelated(call)
    if (call.query.get('uploadType') !== 'multipart' || about === undefined || file === undefined) {
      return refuse(400, 'mediaBodyRequired', 'Two parts are needed')
    }
    const { videoId, language, name } = readCaptions({ ...call, body: about.bytes }).snippet
    const session = sessions.values().find(({ ownerId, video }) => ownerId === owner.id && video?.id === videoId)
    if (session === undefined) return refuse(404, 'videoNotFound', 'The video was not found')
    if (captionsFormatOf(file.bytes.toString()) === undefined)
      refuse(400, 'contentRequired', 'The file has no captions')
    const { captions = [] } = session
    const track = `${name} (${language})`
    if (captions.includes(track)) refuse(409, 'captionExists', 'The video has such a caption track')
    sessions.set(session.id, { ...session, captions: [...captions, track] })
    return { status: 200, body: { kind: 'youtube#caption', id: `${videoId}.${captions.length}` } }
  }

  return [
    { method: 'POST', path: '/upload/youtube/v3/captions', operation: 'captions', answer: insertCaptions },
    { method: 'POST', path: '/upload/youtube/v3/thumbnails/set', operation: 'thumbnail', answer: setThumbnail },
    {
      method: 'POST',
      path,
      operation: 'create',
      when: (_, query) => query.get('uploadType') === 'multipart',
      answer: insert,
    },
    { method: 'POST', path, operation: 'open', answer: open },
    // One address for all calls: the range determines what a call does.
    { method: 'PUT', path, operation: 'status', when: isQuestion, answer: put },
    { method: 'PUT', path, operation: 'create', when: completes, answer: put },
    { method: 'PUT', path, operation: 'upload', answer: put },
  ]
}

const imageTypes = ['image/jpeg', 'image/png', 'application/octet-stream']
const maxThumbnailBytes = 2_097_152

/** A JPEG or a PNG, by its first bytes. */
const isImage = (bytes: Buffer) => /^(ffd8ff|89504e47)/.test(bytes.subarray(0, 4).toString('hex'))

export const thumbnailKey = (sessionId: string): string => `${sessionId}-thumbnail`

type Headers = Call['headers']

const isQuestion = (headers: Headers) => headers['content-range']?.startsWith('bytes */') === true

const completes = (headers: Headers) => {
  if (headers['content-range'] === undefined) return true
  const [, last, total] = /^bytes \d+-(\d+)\/(\d+)$/.exec(headers['content-range'] ?? '') ?? []
  return Number(last) + 1 === Number(total)
}

function show({ received, video, input }: UploadSession): Answer {
  if (video === null) return { status: 308, headers: received > 0 ? { range: `bytes=0-${received - 1}` } : {} }
  const { snippet, status } = input
  const body = { kind: 'youtube#video', id: video.id, snippet, status: { ...status, uploadStatus: 'uploaded' } }
  return { status: 200, body }
}
