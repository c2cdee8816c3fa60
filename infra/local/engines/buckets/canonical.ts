import type { IncomingHttpHeaders } from 'node:http'
import { S3Error } from './error.ts'
import type { Target } from './target.ts'

/** Percent-encodes everything but the unreserved characters of RFC 3986, as SigV4 demands. */
function encodeStrictly(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
}

export function encodePath(path: string): string {
  return encodeStrictly(path).replaceAll('%2F', '/')
}

/** S3 encodes the path once and never removes dot segments, unlike every other service. */
function canonicalPath(path: string): string {
  try {
    return encodePath(decodeURIComponent(path))
  } catch {
    throw new S3Error('InvalidURI', 'The address of this request cannot be decoded.')
  }
}

function canonicalQuery(query: Target['query']): string {
  return query
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => [encodeStrictly(name), encodeStrictly(value)] as const)
    .sort(([a, x], [b, y]) => (a === b ? compare(x, y) : compare(a, b)))
    .map(([name, value]) => `${name}=${value}`)
    .join('&')
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

interface CanonicalParts {
  method: string
  target: Target
  headers: IncomingHttpHeaders
  signedHeaders: string[]
  payloadHash: string
}

/** The canonical request of SigV4, rebuilt from what arrived and not from what we would have sent. */
export function canonicalRequest({ method, target, headers, signedHeaders, payloadHash }: CanonicalParts): string {
  const lines = signedHeaders.map((name) => {
    const value = [headers[name] ?? ''].flat().join(',')
    return `${name}:${value.trim().replace(/ +/g, ' ')}\n`
  })
  return [
    method,
    canonicalPath(target.path),
    canonicalQuery(target.query),
    lines.join(''),
    signedHeaders.join(';'),
    payloadHash,
  ].join('\n')
}
