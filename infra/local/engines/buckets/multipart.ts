import { randomUUID } from 'node:crypto'
import { answerXml, checksumHeaders, quoted } from './answers.ts'
import { receive } from './arrival.ts'
import type { Answer, Call } from './call.ts'
import { toChecksumName } from './checksums.ts'
import { describe } from './description.ts'
import { S3Error } from './error.ts'
import type { Measured, StoredPart, Upload } from './records.ts'
import { leaf } from './xml-write.ts'

/** The bytes of a part, on their way in. */
interface PartArrival {
  chunks: AsyncIterable<Uint8Array>
  measured(): Measured
}

const maxParts = 10_000

export function findUpload({ store, bucket, key, query }: Call): Upload {
  const upload = store.bucket(bucket).uploads.get(query('uploadId') ?? '')
  if (upload?.key === key) return upload
  throw new S3Error('NoSuchUpload', 'This upload does not exist; it may have been completed or aborted.')
}

export function createUpload(call: Call): Answer {
  const { bucket, key, store } = call
  const algorithm = call.input('x-amz-checksum-algorithm')
  if (call.input('x-amz-checksum-type')?.toUpperCase() === 'FULL_OBJECT') {
    throw new S3Error('NotImplemented', 'Multipart uploads have composite checksums only here.')
  }
  const checksumName = algorithm === undefined ? undefined : toChecksumName(algorithm)
  const upload: Upload = { id: randomUUID(), key, parts: [], ...describe(call), ...(checksumName && { checksumName }) }
  store.saveUpload(store.bucket(bucket), upload)
  return answerXml(
    'InitiateMultipartUploadResult',
    leaf('Bucket', bucket),
    leaf('Key', key),
    leaf('UploadId', upload.id),
  )
}

/** Receives a part; a part that is sent again replaces the earlier one. */
export async function savePart(call: Call, { chunks, measured }: PartArrival): Promise<StoredPart> {
  const { bucket, store, now } = call
  const number = Number(call.query('partNumber'))
  findUpload(call)
  if (!Number.isInteger(number) || number < 1 || number > maxParts) {
    throw new S3Error('InvalidArgument', 'Part numbers lie between 1 and 10000.')
  }
  const blob = await store.backend.write(chunks)
  try {
    const upload = findUpload(call)
    const part = { number, blob, modifiedAt: now(), ...measured() }
    if (upload.checksumName && part.checksum && part.checksum.name !== upload.checksumName) {
      throw new S3Error('InvalidRequest', 'The part has another kind of checksum than its upload.')
    }
    const replaced = upload.parts.find((candidate) => candidate.number === number)
    const parts = [...upload.parts.filter((candidate) => candidate !== replaced), part]
    store.saveUpload(store.bucket(bucket), { ...upload, parts: parts.sort((a, b) => a.number - b.number) })
    if (replaced) store.backend.removeBlob(replaced.blob)
    return part
  } catch (error) {
    store.backend.removeBlob(blob)
    throw error
  }
}

export async function uploadPart(call: Call): Promise<Answer> {
  const part = await savePart(call, receive(call))
  return { status: 200, headers: { etag: quoted(part.etag), ...checksumHeaders(part.checksum) } }
}

export function abortUpload(call: Call): Answer {
  call.store.removeUpload(call.store.bucket(call.bucket), findUpload(call))
  return { status: 204 }
}
