import { createHmac, timingSafeEqual } from 'node:crypto'

const windowMs = 300_000

export interface Signed {
  headers: Readonly<Record<string, string>>
  rawBody: Buffer
}

/** The check that every receiver should make: recompute the signature, compare in constant time, reject old deliveries. */
export function verifySignature({ headers, rawBody }: Signed, secret: string | undefined, nowMs: number): boolean {
  const timestamp = headers['x-service-timestamp'] ?? ''
  const given = /^v1=([0-9a-f]{64})$/.exec(headers['x-service-signature'] ?? '')?.[1]
  if (secret === undefined || given === undefined || !/^\d{1,12}$/.test(timestamp)) return false
  if (Math.abs(nowMs - Number(timestamp) * 1000) > windowMs) return false
  const expected = createHmac('sha256', secret).update(`${timestamp}.`).update(rawBody).digest()
  return timingSafeEqual(expected, Buffer.from(given, 'hex'))
}
