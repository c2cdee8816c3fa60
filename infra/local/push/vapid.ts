import { createPublicKey, verify } from 'node:crypto'
import * as z from 'zod/mini'

const Claims = z.object({ aud: z.string(), exp: z.number(), sub: z.optional(z.string()) })

const dayS = 86_400

const read = <T>(shape: z.ZodMiniType<T>, part: string): T | undefined => {
  try {
    return z.safeParse(shape, JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))).data
  } catch {
    return undefined
  }
}

const publicKeyOf = (point: Buffer) => {
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'))
  return createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '' } })
}

/** Why a push service rejects the sender of a message (RFC 8292, sections 2 to 4); undefined if it does not. */
export const refuseVapid = (
  header: string | undefined,
  expected: { applicationServerKey: string; origin: string; nowMs: number },
): string | undefined => {
  const { applicationServerKey, origin, nowMs } = expected
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(header ?? '') ?? []
  const [head = '', body = '', signature = ''] = token.split('.')
  if (key === '') return 'The header Authorization is not one of the scheme vapid.'
  if (key !== applicationServerKey) return 'The key is not the one that the subscription was made with.'
  if (read(z.object({ typ: z.literal('JWT'), alg: z.literal('ES256') }), head) === undefined)
    return 'No JWT with ES256.'
  const point = { key: publicKeyOf(Buffer.from(key, 'base64url')), dsaEncoding: 'ieee-p1363' } as const
  if (!verify('sha256', Buffer.from(`${head}.${body}`), point, Buffer.from(signature, 'base64url'))) {
    return 'The signature does not match.'
  }
  const claims = read(Claims, body)
  if (claims === undefined) return 'The claims "aud" and "exp" are required.'
  if (claims.aud !== origin) return `The audience is ${claims.aud}, not ${origin}.`
  const leftS = claims.exp - nowMs / 1000
  if (leftS <= 0) return 'The token has expired.'
  if (leftS > dayS) return 'The token is valid for more than 24 hours.'
  // Apple's push service requires a contact.
  if (!/^(?:mailto:\S+@\S+|https:\S+)$/.test(claims.sub ?? '')) return 'The claim "sub" is not a contact.'
  return undefined
}
