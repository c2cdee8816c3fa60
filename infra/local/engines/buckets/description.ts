import type { Call } from './call.ts'
import { S3Error } from './error.ts'
import type { Description } from './records.ts'

/** The headers that are stored with an object. */
export const storedNames = [
  'cache-control',
  'content-disposition',
  'content-encoding',
  'content-language',
  'content-type',
  'expires',
]
const maxMetadataBytes = 2048

/** Reads the sender's description of an object; without a type it is `binary/octet-stream`. */
export function describe(call: Call): Description {
  // Buckets made since 2023 have ACLs switched off; product code must not lean on one.
  if ((call.input('x-amz-acl') ?? 'bucket-owner-full-control') !== 'bucket-owner-full-control') {
    throw new S3Error('AccessControlListNotSupported', 'The bucket does not allow ACLs.')
  }
  if (call.input('x-amz-tagging') !== undefined) {
    throw new S3Error('NotImplemented', 'Tags of objects are not implemented here.')
  }
  return { headers: storedHeaders(call.inputNames(), call.input) }
}

/** Picks the headers that are stored with an object. */
export function storedHeaders(names: string[], read: (name: string) => string | undefined): Record<string, string> {
  const headers: Record<string, string> = { 'content-type': 'binary/octet-stream' }
  let metadataBytes = 0
  for (const name of names) {
    const value = read(name)
    const isMetadata = name.startsWith('x-amz-meta-')
    if (value === undefined || !(isMetadata || storedNames.includes(name))) continue
    if (isMetadata) metadataBytes += Buffer.byteLength(name.slice('x-amz-meta-'.length) + value)
    headers[name] = value
  }
  if (metadataBytes > maxMetadataBytes) throw new S3Error('MetadataTooLarge', 'User metadata has at most 2 KB.')
  const encoding = (headers['content-encoding'] ?? '').split(',').filter((part) => part.trim() !== 'aws-chunked')
  if (encoding.join(',') === '') delete headers['content-encoding']
  else headers['content-encoding'] = encoding.join(',').trim()
  return headers
}
