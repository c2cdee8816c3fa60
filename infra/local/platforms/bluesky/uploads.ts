import type { Answer } from '../../pages/server.ts'
import { mediaHeaders } from '../media-headers.ts'
import type { Call, Route, SimulatorContext } from '../standin.ts'
import { contentId } from './ids.ts'
import { readParam, refuse } from './refuse.ts'
import type { Authenticate } from './sessions.ts'
import { sniffType } from './sniff.ts'

/** An uploaded file; without a record that refers to it, it is removed after an hour. */
export interface Upload {
  did: string
  cid: string
  mimeType: string
  size: number
  uploadedAt: number
}

const unusedLifeMs = 3600 * 1000

export interface Uploads {
  routes: Route[]
  /** The upload a record may still refer to, or Bluesky's refusal. */
  find(did: string, cid: string, isUsed: (cid: string) => boolean): Upload
  get(did: string, cid: string): Upload | undefined
  /** Stores bytes for an account. */
  store(did: string, bytes: Buffer, mimeType: string): Upload
}

/** The most bytes of one blob, except for videos that the video service stores. */
const maxBytes = 5 * 1024 * 1024

/** Blobs: stored with the type of their bytes, returned by content ID. */
export function openUploads({ clock, blobs, keep }: SimulatorContext, authenticate: Authenticate): Uploads {
  const uploads = keep<Upload>('uploads')
  const get = (did: string, cid: string) => uploads.get(`${did}/${cid}`)

  function upload(call: Call): Answer {
    const { did } = authenticate(call)
    const declared = call.headers['content-type']?.split(';')[0]
    if (!declared) return refuse(400, 'InvalidRequest', 'Request encoding (Content-Type) required but not provided')
    if (call.body.length > maxBytes) return refuse(413, 'PayloadTooLarge', 'request entity too large')
    const { cid, mimeType, size } = store(did, call.body, sniffType(call.body) ?? declared)
    return { status: 200, body: { blob: { $type: 'blob', ref: { $link: cid }, mimeType, size } } }
  }
  function store(did: string, bytes: Buffer, mimeType: string): Upload {
    const cid = contentId('raw', bytes)
    const stored = { did, cid, mimeType, size: bytes.length, uploadedAt: clock.now() }
    blobs.put(cid, bytes)
    uploads.set(`${did}/${cid}`, stored)
    return stored
  }
  function download(call: Call): Answer {
    const blob = get(readParam(call, 'did'), readParam(call, 'cid'))
    const bytes = blob && blobs.get(blob.cid)
    if (!blob || !bytes) return refuse(400, 'BlobNotFound', 'Blob not found')
    return { status: 200, headers: mediaHeaders(blob.mimeType), body: bytes }
  }

  return {
    routes: [
      { method: 'POST', path: '/xrpc/com.atproto.repo.uploadBlob', operation: 'upload', answer: upload },
      { method: 'GET', path: '/xrpc/com.atproto.sync.getBlob', operation: 'blob', answer: download },
    ],
    get,
    store,
    find(did, cid, isUsed) {
      const blob = get(did, cid)
      const gone = blob === undefined || (blob.uploadedAt + unusedLifeMs <= clock.now() && !isUsed(cid))
      return gone ? refuse(400, 'BlobNotFound', `Could not find blob: ${cid}`) : blob
    },
  }
}
