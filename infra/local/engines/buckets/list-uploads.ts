import { encodePath } from '../../iam/signing.ts'
import { answerXml } from './answers.ts'
import type { Answer, Call } from './call.ts'
import { S3Error } from './error.ts'
import type { Upload } from './records.ts'
import { group, leaf } from './xml-write.ts'

const maxListed = 1000

const compare = (a: Upload, b: Upload) =>
  Buffer.compare(Buffer.from(a.key), Buffer.from(b.key)) || (a.id < b.id ? -1 : 1)

/** ListMultipartUploads: the uploads below a prefix that are neither completed nor aborted, by their keys. */
export function listUploads(call: Call): Answer {
  if (call.query('delimiter') !== undefined) {
    throw new S3Error('NotImplemented', 'Uploads are listed without a delimiter here.')
  }
  const prefix = call.query('prefix') ?? ''
  const keyMarker = call.query('key-marker') ?? ''
  const idMarker = call.query('upload-id-marker')
  const isAfterMarker = ({ key, id }: Upload) => {
    const order = Buffer.compare(Buffer.from(key), Buffer.from(keyMarker))
    return order > 0 || (order === 0 && idMarker !== undefined && id > idMarker)
  }
  const max = Math.min(Number(call.query('max-uploads') ?? maxListed), maxListed)
  const rest = [...call.store.bucket(call.bucket).uploads.values()]
    .filter((upload) => upload.key.startsWith(prefix) && (keyMarker === '' || isAfterMarker(upload)))
    .sort(compare)
  const page = rest.slice(0, max)
  const isTruncated = rest.length > page.length
  const encoding = call.query('encoding-type')
  const show = (text: string | undefined) => (encoding === 'url' && text !== undefined ? encodePath(text) : text)
  return answerXml(
    'ListMultipartUploadsResult',
    leaf('Bucket', call.bucket),
    leaf('KeyMarker', show(keyMarker)),
    leaf('UploadIdMarker', idMarker ?? ''),
    leaf('NextKeyMarker', isTruncated ? show(page.at(-1)?.key) : undefined),
    leaf('NextUploadIdMarker', isTruncated ? page.at(-1)?.id : undefined),
    leaf('Prefix', show(prefix)),
    leaf('EncodingType', encoding),
    leaf('MaxUploads', max),
    leaf('IsTruncated', isTruncated),
    ...page.map(({ key, id }) =>
      group('Upload', leaf('Key', show(key)), leaf('UploadId', id), leaf('StorageClass', 'STANDARD')),
    ),
  )
}
