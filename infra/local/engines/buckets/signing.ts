import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

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
  /** `date/region/s3/aws4_request`, as in the string to sign. */
  text: string
}

export function signingKey(secretAccessKey: string, scope: Scope): Buffer {
  const dateKey = hmac(`AWS4${secretAccessKey}`, scope.date)
  return hmac(hmac(hmac(dateKey, scope.region), 's3'), 'aws4_request')
}

export function sign(key: Buffer, text: string): string {
  return hmac(key, text).toString('hex')
}

export function sameSignature(expected: string, given: string): boolean {
  return expected.length === given.length && timingSafeEqual(Buffer.from(expected), Buffer.from(given))
}

/** Reads `KEY/20260102/region/s3/aws4_request`; undefined when it has another form. */
export function parseScope(credential: string): Scope | undefined {
  const [, accessKeyId, date, region] = /^([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request$/.exec(credential) ?? []
  if (!accessKeyId || !date || !region) return undefined
  return { accessKeyId, date, region, text: `${date}/${region}/s3/aws4_request` }
}

/** Reads the compact date of SigV4 (`20260102T030405Z`) as milliseconds; NaN when it has another form. */
export function parseAmzDate(text: string): number {
  return Date.parse(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
}
