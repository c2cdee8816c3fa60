import { createHash } from 'node:crypto'
import { answerXml, checksumXml, quoted } from './answers.ts'
import type { Answer, Call } from './call.ts'
import { startChecksum, toChecksumName } from './checksums.ts'
import { checkRead } from './conditions.ts'
import { describe } from './description.ts'
import { S3Error } from './error.ts'
import { findObject } from './read-object.ts'
import type { StoredObject } from './records.ts'
import { parseTarget } from './target.ts'
import { writeObject } from './write-object.ts'
import { leaf } from './xml-write.ts'

/** The object that a copy names, if it is as the copy demands. */
export function findSource(call: Call): { bucket: string; source: StoredObject } {
  const path = (call.input('x-amz-copy-source') ?? '').replace(/^\//, '')
  const { bucket, key, query } = parseTarget(`/${path}`)
  if (query.length > 0) throw new S3Error('NotImplemented', 'Versions of objects are not implemented here.')
  const source = findObject(call.store, bucket, key)
  const header = (name: string) => call.input(`x-amz-copy-source-${name}`)
  const conditions = ['if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since']
  checkCopy(Object.fromEntries(conditions.map((name) => [name, header(name)])), source)
  return { bucket, source }
}

/** A copy has no 304: an unchanged source is a precondition that failed. */
function checkCopy(headers: Record<string, string | undefined>, source: StoredObject): void {
  try {
    checkRead(headers, source)
  } catch (error) {
    if (!(error instanceof S3Error) || error.code !== 'NotModified') throw error
    throw new S3Error('PreconditionFailed', 'The source of the copy did not change.')
  }
}

/** Copies the bytes again, so that a copy of a multipart object gets a plain MD5 as its ETag, as on AWS. */
export async function copyObject(call: Call): Promise<Answer> {
  const { bucket, key, store } = call
  const { bucket: sourceBucket, source } = findSource(call)
  const given = describe(call)
  const replaces = call.input('x-amz-metadata-directive')?.toUpperCase() === 'REPLACE'
  if (sourceBucket === bucket && source.key === key && !replaces) {
    throw new S3Error('InvalidRequest', 'A copy onto itself must change something.')
  }
  const algorithm = call.input('x-amz-checksum-algorithm')
  const name = algorithm === undefined ? source.checksum?.name : toChecksumName(algorithm)
  const sum = name && { name, running: startChecksum(name) }
  const md5 = createHash('md5')
  const read = store.backend.read(source.blob, 0, source.size - 1)
  async function* chunks(): AsyncGenerator<Buffer> {
    for await (const piece of read) {
      md5.update(piece)
      sum?.running.update(piece)
      yield piece
    }
  }
  const object = await writeObject(call, {
    bucket,
    key,
    description: replaces ? given : { headers: source.headers },
    chunks: chunks(),
    measured: () => ({
      size: source.size,
      etag: md5.digest('hex'),
      ...(sum && { checksum: { name: sum.name, value: sum.running.base64(), type: 'FULL_OBJECT' as const } }),
    }),
  })
  return answerXml(
    'CopyObjectResult',
    leaf('LastModified', new Date(object.modifiedAt).toISOString()),
    leaf('ETag', quoted(object.etag)),
    checksumXml(object.checksum),
  )
}
