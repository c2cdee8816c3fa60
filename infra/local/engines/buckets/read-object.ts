import { checksumHeaders, quoted } from './answers.ts'
import type { Answer, Call } from './call.ts'
import { checkRead } from './conditions.ts'
import { storedNames } from './description.ts'
import { S3Error } from './error.ts'
import { parseRange } from './range.ts'
import type { StoredObject } from './records.ts'
import type { Store } from './store.ts'

export function findObject(store: Store, bucket: string, key: string): StoredObject {
  const object = store.bucket(bucket).objects.get(key)
  if (!object) throw new S3Error('NoSuchKey', 'The specified key does not exist.', { Key: key })
  return object
}

/** GetObject and HeadObject: the same response, with and without the bytes. */
export function readObject(call: Call): Answer {
  const object = findObject(call.store, call.bucket, call.key)
  checkRead(call.headers, object)
  const range = parseRange(call.headers.range, object.size)
  const { start, end } = range ?? { start: 0, end: object.size - 1 }
  const isChecked = !range && call.input('x-amz-checksum-mode')?.toUpperCase() === 'ENABLED'
  const headers: Record<string, string> = {
    ...object.headers,
    ...overrides(call),
    etag: quoted(object.etag),
    'last-modified': new Date(object.modifiedAt).toUTCString(),
    'accept-ranges': 'bytes',
    'content-length': String(end - start + 1),
    ...(range && { 'content-range': `bytes ${start}-${end}/${object.size}` }),
    ...(isChecked && checksumHeaders(object.checksum)),
  }
  const status = range ? 206 : 200
  return call.method === 'HEAD'
    ? { status, headers }
    : { status, headers, body: call.store.backend.read(object.blob, start, end) }
}

/** A signed read may override the stored headers. */
function overrides(call: Call): Record<string, string> {
  const pairs = storedNames.map((name) => [name, call.query(`response-${name}`)] as const)
  return Object.fromEntries(pairs.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
}
