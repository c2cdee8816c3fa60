import { createHash } from 'node:crypto'
import { answerXml, checksumXml, quoted } from './answers.ts'
import type { Backend } from './backend.ts'
import type { Answer, Call } from './call.ts'
import { type Checksum, checksumNames, compose } from './checksums.ts'
import { S3Error } from './error.ts'
import { findUpload } from './multipart.ts'
import { readDocument } from './read-document.ts'
import type { StoredPart, Upload } from './records.ts'
import { writeObject } from './write-object.ts'
import { childrenOf, textOf, type XmlElement } from './xml-read.ts'
import { leaf } from './xml-write.ts'

const minPartBytes = 5 * 1024 * 1024

/** The parts that the client names, in ascending order. */
function chooseParts(document: XmlElement, upload: Upload): StoredPart[] {
  const named = childrenOf(document, 'Part')
  if (named.length === 0) throw new S3Error('MalformedXML', 'An upload is completed with at least one part.')
  let before = 0
  const parts = named.map((element) => {
    const number = Number(textOf(element, 'PartNumber'))
    const etag = textOf(element, 'ETag')?.replaceAll('"', '')
    const part = upload.parts.find((candidate) => candidate.number === number)
    if (number <= before) throw new S3Error('InvalidPartOrder', 'Parts must be named in rising order.')
    if (!part || part.etag !== etag) {
      throw new S3Error('InvalidPart', 'A part was not uploaded or has another ETag.', { PartNumber: String(number) })
    }
    const given = part.checksum && textOf(element, `Checksum${part.checksum.name.toUpperCase()}`)
    if (given !== undefined && given !== part.checksum?.value) {
      throw new S3Error('InvalidPart', 'A part has another checksum.', { PartNumber: String(number) })
    }
    before = number
    return part
  })
  const small = parts.slice(0, -1).find(({ size }) => size < minPartBytes)
  if (!small) return parts
  const PartNumber = String(small.number)
  throw new S3Error('EntityTooSmall', 'Every part but the last has at least 5 MiB.', { PartNumber })
}

async function* joinParts(backend: Backend, parts: StoredPart[]): AsyncGenerator<Uint8Array> {
  for (const { blob, size } of parts) yield* backend.read(blob, 0, size - 1)
}

/** A composite checksum, where every part was sent with the checksum its upload announced. */
function composeChecksum({ checksumName }: Upload, parts: StoredPart[]): Checksum | undefined {
  const values = parts.flatMap(({ checksum }) => checksum?.value ?? [])
  return checksumName && values.length === parts.length ? compose(checksumName, values) : undefined
}

export async function completeUpload(call: Call): Promise<Answer> {
  const { bucket, key, store } = call
  if (checksumNames.some((name) => call.input(`x-amz-checksum-${name}`) !== undefined)) {
    throw new S3Error('NotImplemented', 'A checksum of the whole object cannot be given at completion here.')
  }
  const document = await readDocument(call, 'CompleteMultipartUpload')
  const upload = findUpload(call)
  const parts = chooseParts(document, upload)
  const checksum = composeChecksum(upload, parts)
  const md5 = createHash('md5')
  for (const { etag } of parts) md5.update(etag, 'hex')
  const object = await writeObject(call, {
    bucket,
    key,
    description: { headers: upload.headers },
    chunks: joinParts(store.backend, parts),
    measured: () => ({
      size: parts.reduce((sum, { size }) => sum + size, 0),
      etag: `${md5.digest('hex')}-${parts.length}`,
      ...(checksum && { checksum }),
    }),
  })
  // Queried again: a part may have been replaced while the bytes were joined.
  store.removeUpload(store.bucket(bucket), findUpload(call))
  return answerXml(
    'CompleteMultipartUploadResult',
    leaf('Location', `/${bucket}/${key}`),
    leaf('Bucket', bucket),
    leaf('Key', key),
    leaf('ETag', quoted(object.etag)),
    checksumXml(object.checksum),
    leaf('ChecksumType', object.checksum?.type),
  )
}
