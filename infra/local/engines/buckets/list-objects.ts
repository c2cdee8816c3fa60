import { encodePath } from '../../iam/signing.ts'
import { answerXml, quoted } from './answers.ts'
import type { Answer, Call } from './call.ts'
import { S3Error } from './error.ts'
import type { StoredObject } from './records.ts'
import { group, leaf } from './xml-write.ts'

const maxKeys = 1000
/** Sorts after every key that begins with the same prefix. */
const last = '\u{10ffff}'

interface Page {
  objects: StoredObject[]
  prefixes: string[]
  next?: string
}

interface Wish {
  prefix: string
  delimiter: string
  after: string
  maxKeys: number
}

/** S3 sorts keys by their UTF-8 bytes, which is not the order of UTF-16. */
function compareKeys(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}

/** One page of a bucket: keys below the prefix, folded at the delimiter. */
function takePage(all: Iterable<StoredObject>, { prefix, delimiter, after, maxKeys }: Wish): Page {
  const page: Page = { objects: [], prefixes: [] }
  const candidates = [...all]
    .filter(({ key }) => key.startsWith(prefix) && compareKeys(key, after) > 0)
    .sort((a, b) => compareKeys(a.key, b.key))
  let position = ''
  for (const object of maxKeys === 0 ? [] : candidates) {
    const cut = delimiter === '' ? -1 : object.key.indexOf(delimiter, prefix.length)
    const folded = cut < 0 ? undefined : object.key.slice(0, cut + delimiter.length)
    if (folded !== undefined && folded === page.prefixes.at(-1)) continue
    if (page.objects.length + page.prefixes.length === maxKeys) return { ...page, next: position }
    if (folded === undefined) page.objects.push(object)
    else page.prefixes.push(folded)
    position = folded === undefined ? object.key : folded + last
  }
  return page
}

function readMaxKeys(text = String(maxKeys)): number {
  if (!/^\d{1,9}$/.test(text)) throw new S3Error('InvalidArgument', 'max-keys must be a number.')
  return Math.min(Number(text), maxKeys)
}

export function listObjects(call: Call): Answer {
  const bucket = call.store.bucket(call.bucket)
  if (call.query('list-type') !== '2') throw new S3Error('NotImplemented', 'Only ListObjectsV2 is implemented here.')
  const token = call.query('continuation-token')
  const wish: Wish = {
    prefix: call.query('prefix') ?? '',
    delimiter: call.query('delimiter') ?? '',
    after: token === undefined ? (call.query('start-after') ?? '') : Buffer.from(token, 'base64url').toString('utf8'),
    maxKeys: readMaxKeys(call.query('max-keys')),
  }
  const { objects, prefixes, next } = takePage(bucket.objects.values(), wish)
  const encoding = call.query('encoding-type')
  const show = (text: string | undefined) => (encoding === 'url' && text !== undefined ? encodePath(text) : text)
  const contents = objects.map((object) =>
    group(
      'Contents',
      leaf('Key', show(object.key)),
      leaf('LastModified', new Date(object.modifiedAt).toISOString()),
      leaf('ETag', quoted(object.etag)),
      leaf('ChecksumAlgorithm', object.checksum?.name.toUpperCase()),
      leaf('Size', object.size),
      leaf('StorageClass', 'STANDARD'),
    ),
  )
  return answerXml(
    'ListBucketResult',
    leaf('Name', bucket.name),
    leaf('Prefix', show(wish.prefix)),
    leaf('Delimiter', show(call.query('delimiter'))),
    leaf('MaxKeys', wish.maxKeys),
    leaf('EncodingType', encoding),
    leaf('KeyCount', objects.length + prefixes.length),
    leaf('IsTruncated', next !== undefined),
    leaf('ContinuationToken', token),
    leaf('NextContinuationToken', next && Buffer.from(next).toString('base64url')),
    leaf('StartAfter', show(call.query('start-after'))),
    ...contents,
    ...prefixes.map((prefix) => group('CommonPrefixes', leaf('Prefix', show(prefix)))),
  )
}
