import { createHash, randomBytes } from 'node:crypto'
import * as z from 'zod/mini'
import { documentTypes } from '../../../../shared/media/types.ts'
import { hourMs } from '../../../../shared/time.ts'
import type { Answer } from '../../pages/server.ts'
import type { Call, Route, SimulatorContext } from '../standin.ts'
import type { StoredMap } from '../stored-map.ts'
import { readInput, refuse } from './refuse.ts'

/** An image, video, or document of someone, not yet in a post. */
export interface LinkedInMedia {
  urn: string
  /** The last part of the URN; also names its bytes. */
  id: string
  kind: 'image' | 'video' | 'document'
  owner: string
  type: string
  bytes: number
  /** The ETags of the parts that arrived, by their position. */
  etags: string[]
  openedAt: number
  readyAt: number | null
}

const processingMs = 2_000
const lifeMs = 12 * hourMs
const partBytes = 4 * 1024 * 1024

const Owner = z.string().check(z.regex(/^urn:li:(person|organization):[\w-]+$/))
const OpenWhole = z.strictObject({ initializeUploadRequest: z.strictObject({ owner: Owner }) })
const OpenVideo = z.strictObject({
  initializeUploadRequest: z.strictObject({
    owner: Owner,
    fileSizeBytes: z.int().check(z.minimum(75_000), z.maximum(500_000_000)),
    uploadCaptions: z.boolean(),
    uploadThumbnail: z.boolean(),
  }),
})
const FinishVideo = z.strictObject({
  finalizeUploadRequest: z.strictObject({
    video: z.string(),
    uploadToken: z.string(),
    uploadedPartIds: z.array(z.string()),
  }),
})

/** Documents API, version 202607: PDF, DOC, DOCX, PPT, PPTX. */
const acceptedTypes: Readonly<Record<'image' | 'document', readonly string[]>> = {
  image: ['image/jpeg', 'image/png', 'image/gif'],
  document: documentTypes,
}

/** Images and documents in one piece and videos in parts, each ready a moment after it is complete. */
export function openMedia(
  { clock, url, blobs }: SimulatorContext,
  media: StoredMap<LinkedInMedia>,
  assertOwner: (call: Call, owner: string) => void,
): Route[] {
  function open(kind: LinkedInMedia['kind'], owner: string, bytes: number): LinkedInMedia {
    const id = `C4E${randomBytes(8).toString('hex')}`
    const one: LinkedInMedia = {
      urn: `urn:li:${kind}:${id}`,
      id,
      kind,
      owner,
      type: kind === 'video' ? 'video/mp4' : '',
      bytes,
      etags: [],
      openedAt: clock.now(),
      readyAt: null,
    }
    media.set(id, one)
    return one
  }

  /** Images and documents are sent in one piece. */
  const openWhole =
    (kind: 'image' | 'document') =>
    (call: Call): Answer => {
      if (call.query.get('action') !== 'initializeUpload') refuse(400, 'INVALID_VALUE_FOR_FIELD', 'Unknown action')
      const { owner } = readInput(call, OpenWhole).initializeUploadRequest
      assertOwner(call, owner)
      const { urn, id, openedAt } = open(kind, owner, 0)
      const uploadUrl = `${url}/dms-uploads/${id}/0?m=x%3D`
      const value = { uploadUrlExpiresAt: openedAt + lifeMs, uploadUrl, [kind]: urn }
      return { status: 200, body: { value } }
    }

  function changeVideo(call: Call): Answer {
    if (call.query.get('action') === 'finalizeUpload') return finishVideo(call)
    if (call.query.get('action') !== 'initializeUpload') refuse(400, 'INVALID_VALUE_FOR_FIELD', 'Unknown action')
    const { owner, fileSizeBytes: bytes } = readInput(call, OpenVideo).initializeUploadRequest
    assertOwner(call, owner)
    const { urn, id, openedAt } = open('video', owner, bytes)
    const uploadInstructions = Array.from({ length: Math.ceil(bytes / partBytes) }, (_, n) => ({
      uploadUrl: `${url}/dms-uploads/${id}/${n}?m=x%3D`,
      firstByte: n * partBytes,
      lastByte: Math.min((n + 1) * partBytes, bytes) - 1,
    }))
    const value = { video: urn, uploadToken: '', uploadUrlsExpireAt: openedAt + lifeMs, uploadInstructions }
    return { status: 200, body: { value } }
  }

  function finishVideo(call: Call): Answer {
    const { video, uploadedPartIds } = readInput(call, FinishVideo).finalizeUploadRequest
    const one = media.values().find(({ urn }) => urn === video)
    if (one === undefined) return refuse(404, 'NOT_FOUND', 'Video not found')
    assertOwner(call, one.owner)
    const isWhole = one.etags.length === Math.ceil(one.bytes / partBytes)
    if (!isWhole || uploadedPartIds.join() !== one.etags.join()) {
      refuse(400, 'INVALID_VALUE_FOR_FIELD', 'uploadedPartIds are not the parts of this video, in their order')
    }
    const keys = one.etags.map((_, n) => `${one.id}-${n}`)
    blobs.put(one.id, Buffer.concat(keys.map((key) => blobs.get(key) ?? Buffer.alloc(0))))
    for (const key of keys) blobs.put(key, Buffer.alloc(0))
    media.set(one.id, { ...one, readyAt: clock.now() + processingMs })
    return { status: 200 }
  }

  function put(call: Call): Answer {
    const one = media.get(call.params['asset'] ?? '')
    if (one === undefined || clock.now() >= one.openedAt + lifeMs) return refuse(404, 'NOT_FOUND', 'No such upload')
    if (one.kind !== 'video') {
      if (!call.headers['authorization']) refuse(401, 'EMPTY_ACCESS_TOKEN', 'Empty oauth2 access token')
      const type = call.headers['content-type'] ?? ''
      if (!acceptedTypes[one.kind].includes(type)) refuse(400, 'INVALID_VALUE_FOR_FIELD', `No ${one.kind}`)
      if (call.body.length > 100_000_000) refuse(400, 'INVALID_VALUE_FOR_FIELD', 'More than 100 MB')
      blobs.put(one.id, call.body)
      media.set(one.id, { ...one, type, bytes: call.body.length, readyAt: clock.now() + processingMs })
      return { status: 201 }
    }
    const part = Number(call.params['part'])
    const expected = Math.min((part + 1) * partBytes, one.bytes) - part * partBytes
    if (call.headers['content-type'] !== 'application/octet-stream' || call.body.length !== expected) {
      refuse(400, 'INVALID_VALUE_FOR_FIELD', `Part ${part} has ${expected} bytes of application/octet-stream`)
    }
    const etag = createHash('md5').update(call.body).digest('hex')
    blobs.put(`${one.id}-${part}`, call.body)
    media.set(one.id, { ...one, etags: Object.assign([...one.etags], { [part]: etag }) })
    return { status: 200, headers: { etag } }
  }

  /** Members may not query their images. */
  function status(call: Call): Answer {
    const one = media.values().find(({ urn }) => urn === call.params['urn'])
    if (one === undefined) return refuse(404, 'NOT_FOUND', 'Not found')
    assertOwner(call, one.owner)
    if (one.kind === 'image' && one.owner.startsWith('urn:li:person:')) {
      refuse(403, 'ACCESS_DENIED', 'Not enough permissions to access: GET /images')
    }
    const waiting = one.kind !== 'video' || one.etags.length === 0 ? 'WAITING_UPLOAD' : 'PROCESSING'
    const reached = one.readyAt !== null && one.readyAt <= clock.now() ? 'AVAILABLE' : 'PROCESSING'
    return { status: 200, body: { id: one.urn, owner: one.owner, status: one.readyAt === null ? waiting : reached } }
  }

  return [
    { method: 'POST', path: '/rest/images', operation: 'init', answer: openWhole('image') },
    { method: 'POST', path: '/rest/documents', operation: 'init', answer: openWhole('document') },
    { method: 'POST', path: '/rest/videos', operation: 'init', answer: changeVideo },
    { method: 'PUT', path: '/dms-uploads/:asset/:part', operation: 'upload', answer: put },
    { method: 'GET', path: '/rest/images/:urn', operation: 'status', answer: status },
    { method: 'GET', path: '/rest/videos/:urn', operation: 'status', answer: status },
    { method: 'GET', path: '/rest/documents/:urn', operation: 'status', answer: status },
  ]
}
