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

/** Not a secret: it only distinguishes this stand-in's tokens from others, even after a restart. */
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
  return sign(typ, { scope, sub: did, jti, iat, exp: iat + lifeSeconds })
}

const ServiceClaims = z.object({ iss: z.string(), aud: z.string(), lxm: z.string(), exp: z.number() })
export type ServiceClaims = z.infer<typeof ServiceClaims>

/** A token of an account for one method of one service (com.atproto.server.getServiceAuth). */
export const signServiceToken = (claims: ServiceClaims): string => sign('JWT', claims)

/** The account that a service token is from; it has to be for this service and method. */
export function readServiceToken(
  authorization: string | undefined,
  { aud, lxm, nowMs }: { aud: string; lxm: string; nowMs: number },
): string {
  const claims = ServiceClaims.safeParse(claimsOf(authorization)).data
  if (claims === undefined) return refuse(401, 'BadJwt', 'missing or invalid jwt')
  if (claims.exp * 1000 <= nowMs) return refuse(401, 'JwtExpired', 'jwt expired')
  if (claims.aud !== aud) return refuse(401, 'BadJwtAudience', 'jwt audience does not match service did')
  if (claims.lxm !== lxm)
    return refuse(401, 'BadJwtLexiconMethod', `bad jwt lexicon method ("lxm"). must match: ${lxm}`)
  return claims.iss
}

/** The claims of a bearer token of this kind that has not expired. */
export function readToken(kind: TokenKind, authorization: string | undefined, nowMs: number): Claims {
  const claims = Claims.safeParse(claimsOf(authorization)).data
  if (claims === undefined) return refuse(400, 'InvalidToken', 'Malformed token')
  if (claims.scope !== kinds[kind].scope) return refuse(400, 'InvalidToken', 'Invalid token type')
  if (claims.exp * 1000 <= nowMs) return refuse(400, 'ExpiredToken', 'Token has expired')
  return claims
}

/** The claims of a bearer token of this stand-in. */
function claimsOf(authorization: string | undefined): unknown {
  const token = /^Bearer (\S+)$/i.exec(authorization ?? '')?.[1]
  if (token === undefined) return refuse(401, 'AuthMissing', 'Authentication Required')
  const [header = '', payload = '', signature = ''] = token.split('.')
  const expected = Buffer.from(seal(`${header}.${payload}`))
  const given = Buffer.from(signature)
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
    return refuse(400, 'InvalidToken', 'Token could not be verified')
  }
  return JSON.parse(Buffer.from(payload, 'base64url').toString())
}

function sign(typ: string, claims: Record<string, unknown>): string {
  const content = `${encode({ typ, alg: 'HS256' })}.${encode(claims)}`
  return `${content}.${seal(content)}`
}

function encode(part: Record<string, unknown>): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}

function seal(content: string): string {
  return createHmac('sha256', key).update(content).digest('base64url')
}
