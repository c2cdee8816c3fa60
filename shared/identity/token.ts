import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Context } from '../context.ts'
import { base62, digest, random62 } from '../ids.ts'
import { readTokenKeys, rereadTokenKeys, type TokenKeys } from './token-keys.ts'

/** The two kinds of bearer token. The id in a token names its row; the secret proves possession. */
export type TokenKind = 'ses' | 'pat'

const idLengths = { ses: 8, pat: 4 } as const

export interface TokenParts {
  kind: TokenKind
  userId: string
  tokenId: string
  secretHash: string
}

/**
 * Published for secret scanners: finds our tokens anywhere in a text. It means the same in RE2 and Hyperscan, and
 * nothing in it can be slow.
 */
export const leakedTokenPattern =
  'svc_(?:pat_[0-9A-Za-z]{16}|ses_[0-9A-Za-z]{20}|o[ar]t_[0-9A-Za-z]{46})_[0-9A-Za-z]{49}'

/** The whole text is one of our tokens; the groups are its parts. */
export const tokenPattern =
  /^svc_(ses|pat)_([0-9A-Za-z]{12})([0-9A-Za-z]{8}|[0-9A-Za-z]{4})_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/

/** The id of the person in the public id of a token, which is not verified. */
export const personIdIn = (publicId: string): string => publicId.slice(0, 12)

/** The first 35 bits of an HMAC-SHA-256 of all preceding characters, as six base62 characters. */
const check = (key: string, text: string) => {
  const bits = createHmac('sha256', key).update(text).digest().readUIntBE(0, 5) / 32
  return base62(BigInt(Math.floor(bits)), 6)
}

/** A token: its body, and the check that proves that this service issued it. */
export const withCheck = async (ctx: Context, body: string): Promise<string> =>
  body + check((await readTokenKeys(ctx)).current, body)

/** A new token for the row with that id, and the hash to store. */
export const mintToken = async (ctx: Context, kind: TokenKind, userId: string) => {
  const tokenId = random62(idLengths[kind])
  const secret = random62(43)
  const body = `svc_${kind}_${userId}${tokenId}_${secret}`
  return { token: await withCheck(ctx, body), tokenId, secretHash: digest(secret) }
}

/** Whether one of the keys made the check of a token. */
const verifies = (keys: TokenKeys | undefined, body: string, sum: string): boolean =>
  keys !== undefined &&
  [keys.current, keys.next, ...(keys.previous ?? [])].some(
    (key) => key !== undefined && timingSafeEqual(Buffer.from(check(key, body)), Buffer.from(sum)),
  )

/** Whether the last six characters of a token are the check of the rest. */
export const hasCheck = async (ctx: Context, token: string): Promise<boolean> => {
  const [body, sum] = [token.slice(0, -6), token.slice(-6)]
  return verifies(await readTokenKeys(ctx), body, sum) || verifies(await rereadTokenKeys(ctx), body, sum)
}

/** The parts of a token whose check proves that this service issued it, without a read of the table. */
export const readToken = async (ctx: Context, token: string): Promise<TokenParts | undefined> => {
  const [, kind, userId, tokenId, secret, sum] = tokenPattern.exec(token) ?? []
  if ((kind !== 'ses' && kind !== 'pat') || !userId || !tokenId || !secret || !sum) return undefined
  if (tokenId.length !== idLengths[kind]) return undefined
  return (await hasCheck(ctx, token)) ? { kind, userId, tokenId, secretHash: digest(secret) } : undefined
}

/** Compares two stored hashes in constant time. */
export const sameHash = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
