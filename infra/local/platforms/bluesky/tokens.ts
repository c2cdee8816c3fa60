import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import * as z from 'zod/mini'
import { refuse } from './refuse.ts'

const Claims = z.object({ scope: z.string(), sub: z.string(), jti: z.string(), iat: z.number(), exp: z.number() })
export type Claims = z.infer<typeof Claims>

export type TokenKind = 'access' | 'refresh'

const kinds = {
  access: { typ: 'at+jwt', scope: 'com.atproto.appPass', lifeSeconds: 2 * 3600 },
  refresh: { typ: 'refresh+jwt', scope: 'com.atproto.refresh', lifeSeconds: 90 * 86_400 },
} as const

/** Not a secret: it only tells this stand-in's tokens from others, also after a restart. */
const key = 'bluesky stand-in'

/** A token in the form of a JWT, so that clients can read its `exp`. */
export function signToken(
  kind: TokenKind,
  did: string,
  nowMs: number,
  jti = randomBytes(16).toString('base64url'),
): string {
  const { typ, scope, lifeSeconds } = kinds[kind]
  const iat = Math.floor(nowMs / 1000)
  const content = `${encode({ typ, alg: 'HS256' })}.${encode({ scope, sub: did, jti, iat, exp: iat + lifeSeconds })}`
  return `${content}.${seal(content)}`
}

/** The claims of a bearer token of this kind that has not expired. */
export function readToken(kind: TokenKind, authorization: string | undefined, nowMs: number): Claims {
  const token = /^Bearer (\S+)$/i.exec(authorization ?? '')?.[1]
  if (token === undefined) return refuse(401, 'AuthMissing', 'Authentication Required')
  const [header = '', payload = '', signature = ''] = token.split('.')
  const expected = Buffer.from(seal(`${header}.${payload}`))
  const given = Buffer.from(signature)
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
    return refuse(400, 'InvalidToken', 'Token could not be verified')
  }
  const claims = Claims.parse(JSON.parse(Buffer.from(payload, 'base64url').toString()))
  if (claims.scope !== kinds[kind].scope) return refuse(400, 'InvalidToken', 'Invalid token type')
  if (claims.exp * 1000 <= nowMs) return refuse(400, 'ExpiredToken', 'Token has expired')
  return claims
}

function encode(part: Record<string, unknown>): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}

function seal(content: string): string {
  return createHmac('sha256', key).update(content).digest('base64url')
}
