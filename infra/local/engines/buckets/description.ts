import type { Call } from './call.ts'
import { S3Error } from './error.ts'
import type { Description, Tag } from './records.ts'
import { parsePairs } from './target.ts'

const storedNames = [
  'cache-control',
  'content-disposition',
  'content-encoding',
  'content-language',
  'content-type',
  'expires',
]
const maxMetadataBytes = 2048
const maxTags = 10

/** Reads what the sender says about an object; without a type it is `binary/octet-stream`. */
export function describe(call: Call): Description {
  // Buckets made since 2023 have ACLs switched off; product code must not lean on one.
  if ((call.input('x-amz-acl') ?? 'bucket-owner-full-control') !== 'bucket-owner-full-control') {
    throw new S3Error('AccessControlListNotSupported', 'The bucket does not allow ACLs.')
  }
  return {
    headers: storedHeaders(call.inputNames(), call.input),
    tags: checkTags(parsePairs(call.input('x-amz-tagging') ?? '')),
  }
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

export function checkTags(tags: Tag[]): Tag[] {
  const isFaulty = tags.some(([key, value]) => key === '' || key.length > 128 || value.length > 256)
  if (isFaulty || tags.length > maxTags || new Set(tags.map(([key]) => key)).size < tags.length) {
    throw new S3Error('InvalidTag', 'An object has at most 10 different tags of at most 128 and 256 characters.')
  }
  return tags
}
