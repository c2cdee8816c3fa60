import { createHash } from 'node:crypto'
import { sniff } from '../../../../shared/media/inspect/sniff.ts'
import { hourMs } from '../../../../shared/time.ts'
import { MultipartError, type Part, parseMultipart } from '../../pages/multipart.ts'
import type { Answer } from '../../pages/server.ts'
import { type Call, Refused, type Route, type SimulatorContext } from '../standin.ts'
import { bodyReader } from './read-body.ts'
import { refuse } from './refuse.ts'
import type { PinterestPerson } from './seed.ts'

interface StoredMedia {
  id: string
  owner: string
  registeredAt: number
  file: { key: string; type: string } | null
  uploadedAt: number | null
}

const formMs = hourMs
const processingMs = 8_000

function denied(status: number, code: string): never {
  const body = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code></Error>`
  throw new Refused({ status, headers: { 'content-type': 'application/xml' }, body })
}

function readParts({ headers, body }: Call): Part[] {
  try {
    return parseMultipart(headers['content-type'] ?? '', body)
  } catch (error) {
    if (error instanceof MultipartError) return denied(400, 'MalformedPOSTRequest')
    throw error
  }
}

/** Videos before they are Pins: registered, uploaded to a bucket, processed. */
export function openMedia({ clock, url, blobs, keep }: SimulatorContext, personOf: (call: Call) => PinterestPerson) {
  const media = keep<StoredMedia>('media')
  const readInput = bodyReader('MediaUploadCreate')

  const parametersOf = ({ id, registeredAt }: StoredMedia) => ({
    'x-amz-date': new Date(registeredAt).toISOString().replaceAll(/[-:]|\.\d+/g, ''),
    'x-amz-signature': createHash('sha256').update(id).digest('hex'),
    'x-amz-security-token': 'local',
    'x-amz-algorithm': 'AWS4-HMAC-SHA256',
    key: `uploads/11/aa/22/3:video:${id}`,
    policy: Buffer.from(id).toString('base64'),
    'x-amz-credential': 'local/us-east-1/s3/aws4_request',
    'Content-Type': 'multipart/form-data',
  })

  function register(call: Call): Answer {
    const { username } = personOf(call)
    readInput(call)
    const id = String(5_212_123_920_968_240_771n + BigInt(media.values().length))
    const stored = { id, owner: username, registeredAt: clock.now(), file: null, uploadedAt: null }
    media.set(id, stored)
    const body = { media_id: id, media_type: 'video', upload_url: `${url}/bucket/` }
    return { status: 201, body: { ...body, upload_parameters: parametersOf(stored) } }
  }

  function take(call: Call): Answer {
    if (call.headers['authorization'] !== undefined) denied(400, 'InvalidArgument')
    if (call.headers['transfer-encoding'] !== undefined) denied(411, 'MissingContentLength')
    const parts = readParts(call)
    const file = parts.at(-1)
    const fields = new Map(parts.map(({ name, bytes }) => [name, bytes.toString('utf8')]))
    const stored = media.get(fields.get('key')?.split(':').at(-1) ?? '')
    if (stored === undefined || stored.registeredAt + formMs < clock.now()) return denied(403, 'AccessDenied')
    const expected = Object.entries(parametersOf(stored))
    const isWhole = expected.every(([name, value]) => fields.get(name) === value)
    if (!isWhole || file?.name !== 'file' || parts.length !== expected.length + 1) return denied(403, 'AccessDenied')
    const key = createHash('sha256').update(file.bytes).digest('hex').slice(0, 32)
    blobs.put(key, file.bytes)
    media.set(stored.id, { ...stored, file: { key, type: sniff(file.bytes) ?? 'unknown' }, uploadedAt: clock.now() })
    return { status: 204 }
  }

  function statusOf({ file, uploadedAt }: StoredMedia): string {
    if (file === null || uploadedAt === null) return 'registered'
    if (clock.now() < uploadedAt + processingMs) return 'processing'
    return file.type.startsWith('video/') ? 'succeeded' : 'failed'
  }

  function show(call: Call): Answer {
    const stored = own(call.params['media'], personOf(call))
    return { status: 200, body: { media_id: stored.id, media_type: 'video', status: statusOf(stored) } }
  }

  function own(id: string | undefined, { username }: PinterestPerson): StoredMedia {
    const stored = media.get(id ?? '')
    return stored?.owner === username ? stored : refuse(404, 2, 'Media not found.')
  }

  const routes: Route[] = [
    { method: 'POST', path: '/v5/media', operation: 'register', answer: register },
    { method: 'POST', path: '/bucket/', operation: 'upload', answer: take },
    { method: 'GET', path: '/v5/media/:media', operation: 'status', answer: show },
  ]
  return {
    routes,
    /** The file of a video that is processed. */
    video(id: string, person: PinterestPerson): { key: string; type: string } {
      const stored = own(id, person)
      if (stored.file === null || statusOf(stored) !== 'succeeded') return refuse(400, 1, 'The media is not processed.')
      return stored.file
    },
  }
}
export type Media = ReturnType<typeof openMedia>
