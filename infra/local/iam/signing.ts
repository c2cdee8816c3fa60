import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

export function sha256Hex(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex')
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}

/** The scope of a signature: one day, one region, one service. */
export interface Scope {
  accessKeyId: string
  date: string
  region: string
  service: string
  /** `date/region/service/aws4_request`, as in the string to sign. */
  text: string
}

export function signingKey(secretAccessKey: string, scope: Scope): Buffer {
  const dateKey = hmac(`AWS4${secretAccessKey}`, scope.date)
  return hmac(hmac(hmac(dateKey, scope.region), scope.service), 'aws4_request')
}

export function sign(key: Buffer, text: string): string {
  return hmac(key, text).toString('hex')
}

export function sameSignature(expected: string, given: string): boolean {
  return expected.length === given.length && timingSafeEqual(Buffer.from(expected), Buffer.from(given))
}

/** Reads `KEY/20260102/region/service/aws4_request`; undefined when it has another form. */
export function parseScope(credential: string): Scope | undefined {
  const form = /^([^/]+)\/(\d{8})\/([^/]+)\/([^/]+)\/aws4_request$/
  const [, accessKeyId, date, region, service] = form.exec(credential) ?? []
  if (!accessKeyId || !date || !region || !service) return undefined
  return { accessKeyId, date, region, service, text: `${date}/${region}/${service}/aws4_request` }
}

/** Reads the Authorization header; undefined when it has another form. */
export function parseAuthorization(header: string) {
  const [scheme, rest = ''] = header.split(/ (.*)/s)
  const parts = new Map(rest.split(/,\s*/).map((part) => [part.split('=', 1)[0], part.slice(part.indexOf('=') + 1)]))
  const scope = parseScope(parts.get('Credential') ?? '')
  const signature = parts.get('Signature')
  const signedHeaders = parts.get('SignedHeaders')?.split(';')
  if (scheme !== 'AWS4-HMAC-SHA256' || !scope || !signature || !signedHeaders) return undefined
  return { scope, signature, signedHeaders }
}

/** Reads the compact date of SigV4 (`20260102T030405Z`) as milliseconds; NaN when it has another form. */
export function parseAmzDate(text: string): number {
  return Date.parse(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
}

/** Percent-encodes everything but the unreserved characters of RFC 3986, as SigV4 demands. */
function encodeStrictly(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
}

export function encodePath(path: string): string {
  return encodeStrictly(path).replaceAll('%2F', '/')
}

type Pairs = ReadonlyArray<readonly [name: string, value: string]>

function canonicalQuery(query: Pairs): string {
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
  /** As the service encodes it. */
  path: string
  query: Pairs
  headers: IncomingHttpHeaders
  signedHeaders: string[]
  payloadHash: string
}

/** The canonical request of SigV4, rebuilt from what arrived and not from what we would have sent. */
export function canonicalRequest({ method, path, query, headers, signedHeaders, payloadHash }: CanonicalParts): string {
  const lines = signedHeaders.map((name) => {
    const value = [headers[name] ?? ''].flat().join(',')
    return `${name}:${value.trim().replace(/ +/g, ' ')}\n`
  })
  return [method, path, canonicalQuery(query), lines.join(''), signedHeaders.join(';'), payloadHash].join('\n')
}

/** The string that SigV4 signs. */
export const stringToSign = (timestamp: string, scope: Scope, canonical: string): string =>
  ['AWS4-HMAC-SHA256', timestamp, scope.text, sha256Hex(canonical)].join('\n')
