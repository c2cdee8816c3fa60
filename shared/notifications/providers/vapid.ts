import { createPrivateKey, sign } from 'node:crypto'
import type { VapidKeys } from './vapid-keys.ts'

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** At most 24 hours (RFC 8292, section 2). */
const lifeSeconds = 12 * 3_600

const privateKeyOf = ({ publicKey, privateKey: d }: VapidKeys) => {
  const point = Buffer.from(publicKey, 'base64url')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'))
  return createPrivateKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', d, x: x ?? '', y: y ?? '' } })
}

/** The header by which a push service knows the sender of a message (RFC 8292, section 3). */
export const vapidAuthorization = (keys: VapidKeys, endpoint: string, contact: string, nowMs: number): string => {
  const exp = Math.floor(nowMs / 1000) + lifeSeconds
  const claims = encode({ aud: new URL(endpoint).origin, exp, sub: contact })
  const signed = `${encode({ typ: 'JWT', alg: 'ES256' })}.${claims}`
  // RFC 7518, section 3.4: the two numbers side by side, not in DER.
  const key = { key: privateKeyOf(keys), dsaEncoding: 'ieee-p1363' } as const
  const signature = sign('sha256', Buffer.from(signed), key).toString('base64url')
  return `vapid t=${signed}.${signature}, k=${keys.publicKey}`
}
