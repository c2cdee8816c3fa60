import { randomBytes } from 'node:crypto'
import * as z from 'zod/mini'
import { hourMs } from '../../../../shared/time.ts'
import { MultipartError, type Part, parseMultipart } from '../../pages/multipart.ts'
import type { Answer } from '../../pages/server.ts'
import { type Call, Refused, type Route, type SimulatorContext } from '../standin.ts'
import type { Door } from './login.ts'
import { refuse } from './refuse.ts'

export interface StoredUpload {
  key: string
  blob: string
  type: string
  leasedAt: number
  uploaded: boolean
}

const LeaseForm = z.strictObject({
  api_type: z.literal('json'),
  filepath: z.string().check(z.minLength(1)),
  mimetype: z.enum(['image/jpeg', 'image/png', 'image/gif', 'video/mp4', 'video/quicktime']),
})

const leaseMs = hourMs
const maxImageBytes = 20_971_520

function xml(status: number, body: string): Answer {
  return {
    status,
    headers: { 'content-type': 'application/xml' },
    body: `<?xml version="1.0" encoding="UTF-8"?>${body}`,
  }
}

function fail(status: number, code: string, more = ''): never {
  throw new Refused(xml(status, `<Error><Code>${code}</Code>${more}</Error>`))
}

/** Upload leases and the bucket behind them, which takes a form with its fields in order, followed by the file. */
export function openUploads({ clock, url, blobs, keep }: SimulatorContext, { personOf }: Door) {
  const uploads = keep<StoredUpload>('uploads')
  const host = new URL(url).host

  const fieldsOf = ({ key, type }: StoredUpload) => [
    { name: 'acl', value: 'private' },
    { name: 'key', value: key },
    { name: 'Content-Type', value: type },
    { name: 'policy', value: Buffer.from(key).toString('base64') },
    { name: 'success_action_status', value: '201' },
  ]

  function lease(call: Call): Answer {
    personOf(call)
    const form = LeaseForm.safeParse(Object.fromEntries(new URLSearchParams(call.body.toString())))
    if (!form.success) return refuse(400, 'Bad Request')
    const { mimetype: type, filepath } = form.data
    const id = randomBytes(8).toString('hex')
    const upload = { key: `rte_media/${id}`, blob: id, type, leasedAt: clock.now(), uploaded: false }
    uploads.set(upload.key, upload)
    const asset = { asset_id: id, processing_state: 'incomplete', payload: { filepath }, websocket_url: 'wss://unused' }
    return { status: 200, body: { args: { action: `//${host}/bucket`, fields: fieldsOf(upload) }, asset } }
  }

  function readParts(call: Call): Part[] {
    try {
      return parseMultipart(call.headers['content-type'] ?? '', call.body)
    } catch (error) {
      if (error instanceof MultipartError) return fail(400, 'MalformedPOSTRequest')
      throw error
    }
  }

  function take(call: Call): Answer {
    if (call.headers['authorization'] !== undefined) fail(400, 'InvalidArgument')
    if (call.headers['transfer-encoding'] !== undefined) fail(411, 'MissingContentLength')
    const parts = readParts(call)
    const file = parts.at(-1)
    const named = Object.fromEntries(parts.map(({ name, bytes }) => [name, bytes.toString('utf8')]))
    const upload = uploads.get(named['key'] ?? '')
    if (upload === undefined || upload.leasedAt + leaseMs <= clock.now()) return fail(403, 'AccessDenied')
    const expected = fieldsOf(upload)
    const inOrder = expected.every(({ name, value }, n) => parts[n]?.name === name && named[name] === value)
    if (!inOrder || file?.name !== 'file' || parts.length !== expected.length + 1) return fail(403, 'AccessDenied')
    if (upload.type.startsWith('image/') && file.bytes.length > maxImageBytes) {
      const more = `<ProposedSize>${file.bytes.length}</ProposedSize><MaxSizeAllowed>${maxImageBytes}</MaxSizeAllowed>`
      fail(400, 'EntityTooLarge', more)
    }
    blobs.put(upload.blob, file.bytes)
    uploads.set(upload.key, { ...upload, uploaded: true })
    const location = encodeURIComponent(`https://${host}/bucket/${upload.key}`)
    return xml(201, `<PostResponse><Location>${location}</Location><Key>${upload.key}</Key></PostResponse>`)
  }

  const routes: Route[] = [
    { method: 'POST', path: '/api/media/asset.json', operation: 'lease', answer: lease },
    { method: 'POST', path: '/bucket', operation: 'upload', answer: take },
  ]
  /** The file that a post names by its address. */
  const find = (address: string | undefined): StoredUpload | undefined => {
    const upload = uploads.get(address?.split('/bucket/')[1] ?? '')
    return upload?.uploaded ? upload : undefined
  }
  /** The file that a gallery names by its ID. */
  const findAsset = (id: string): StoredUpload | undefined => {
    const upload = uploads.get(`rte_media/${id}`)
    return upload?.uploaded ? upload : undefined
  }
  return { routes, find, findAsset }
}
export type Uploads = ReturnType<typeof openUploads>
