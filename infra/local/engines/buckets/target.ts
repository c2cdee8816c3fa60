import { S3Error } from './error.ts'

export interface Target {
  /** The path as the client sent it, still encoded. */
  path: string
  bucket: string
  key: string
  query: ReadonlyArray<readonly [name: string, value: string]>
}

const maxKeyBytes = 1024

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new S3Error('InvalidURI', 'The address of this request cannot be decoded.')
  }
}

/** Splits a raw request address into bucket, key and query: /bucket/key?query, or /key?query of a bucket that is known. */
export function parseTarget(url: string, ofBucket?: string): Target {
  const mark = url.indexOf('?')
  const path = mark < 0 ? url : url.slice(0, mark)
  const parts = decode(path.slice(1)).split('/')
  const bucket = ofBucket ?? parts.shift() ?? ''
  const key = parts.join('/')
  if (Buffer.byteLength(key) > maxKeyBytes) throw new S3Error('KeyTooLongError', 'A key has at most 1024 bytes.')
  return { path, bucket, key, query: mark < 0 ? [] : parsePairs(url.slice(mark + 1)) }
}

/** Reads `a=b&c` as pairs, in their order. */
function parsePairs(text: string): Array<readonly [string, string]> {
  return text
    .split('&')
    .filter((part) => part !== '')
    .map((part) => {
      const [name = '', ...value] = part.replaceAll('+', ' ').split('=')
      return [decode(name), decode(value.join('='))] as const
    })
}
