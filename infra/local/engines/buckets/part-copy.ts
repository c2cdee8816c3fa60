import { createHash } from 'node:crypto'
import { answerXml, quoted } from './answers.ts'
import type { Answer, Call } from './call.ts'
import { findSource } from './copy-object.ts'
import { S3Error } from './error.ts'
import { savePart } from './multipart.ts'
import { parseRange } from './range.ts'
import { leaf } from './xml-write.ts'

/** UploadPartCopy: a part whose bytes come from a range of another object. */
export async function uploadPartCopy(call: Call): Promise<Answer> {
  const { source } = findSource(call)
  const given = call.input('x-amz-copy-source-range')
  const range = parseRange(given, source.size)
  if (given !== undefined && (!range || !given.endsWith(`-${range.end}`))) {
    throw new S3Error('InvalidArgument', 'The range of a copied part must lie within its source.')
  }
  const { start, end } = range ?? { start: 0, end: source.size - 1 }
  const md5 = createHash('md5')
  const read = call.store.backend.read(source.blob, start, end)
  async function* chunks(): AsyncGenerator<Buffer> {
    for await (const piece of read) {
      md5.update(piece)
      yield piece
    }
  }
  const measured = () => ({ size: end - start + 1, etag: md5.digest('hex') })
  const part = await savePart(call, { chunks: chunks(), measured })
  return answerXml(
    'CopyPartResult',
    leaf('LastModified', new Date(part.modifiedAt).toISOString()),
    leaf('ETag', quoted(part.etag)),
  )
}
