import type { IncomingHttpHeaders } from 'node:http'
import { S3Error } from './error.ts'
import type { StoredObject } from './records.ts'

function names(list: string, etag: string): boolean {
  return list.split(',').some((part) => ['*', etag].includes(part.trim().replace(/^"|"$/g, '')))
}

/** HTTP dates have whole seconds, so the stored time is truncated to seconds. */
function isModifiedSince(object: StoredObject, date: string): boolean {
  return Math.floor(object.modifiedAt / 1000) * 1000 > Date.parse(date)
}

function failed(condition: string): S3Error {
  return new S3Error('PreconditionFailed', 'A precondition of this request does not hold.', { Condition: condition })
}

/** The preconditions of a read (RFC 9110, section 13.2.2): throws 412 or 304. */
export function checkRead(headers: IncomingHttpHeaders, object: StoredObject): void {
  const match = headers['if-match']
  const noneMatch = headers['if-none-match']
  const unmodified = headers['if-unmodified-since']
  const modified = headers['if-modified-since']
  if (match !== undefined) {
    if (!names(match, object.etag)) throw failed('If-Match')
  } else if (unmodified !== undefined && isModifiedSince(object, unmodified)) throw failed('If-Unmodified-Since')
  const unchanged =
    noneMatch !== undefined
      ? names(noneMatch, object.etag)
      : modified !== undefined && !isModifiedSince(object, modified)
  if (unchanged) throw new S3Error('NotModified', 'Not Modified')
}

/** The preconditions of a write: If-None-Match accepts only `*`, If-Match an ETag. */
export function checkWrite(headers: IncomingHttpHeaders, existing: StoredObject | undefined): void {
  const match = headers['if-match']
  const noneMatch = headers['if-none-match']
  if (noneMatch !== undefined && noneMatch !== '*') {
    throw new S3Error('NotImplemented', 'A write knows only If-None-Match: *.')
  }
  if (noneMatch === '*' && existing) throw failed('If-None-Match')
  if (match === undefined) return
  if (!existing) throw new S3Error('NoSuchKey', 'The specified key does not exist.')
  if (!names(match, existing.etag)) throw failed('If-Match')
}
