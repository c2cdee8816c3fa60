import { createHmac, timingSafeEqual } from 'node:crypto'
import * as z from 'zod/mini'
import { readSecret } from '../aws/secret.ts'
import { type Context, perContext } from '../context.ts'
import { base62, digest, random62 } from '../ids.ts'
import { minuteMs } from '../time.ts'

const Key = z.string().check(z.minLength(32))

/** The keys of the check in every token, as the secret stores them. */
export const TokenKeys = z.object({
  /** Signs new tokens. */
  current: Key,
  /** Verifies, and does not sign yet: every environment must know a key before one of them signs with it. */
  next: z.optional(Key),
  /** Verify the tokens of earlier rotations. */
  previous: z.optional(z.array(Key)),
})
export type TokenKeys = z.infer<typeof TokenKeys>

/** How long an environment uses the keys that it has read. */
export const keysTtlMs = 15 * minuteMs
/** An unknown check makes an environment read the keys again, at most this often. */
const rereadMs = minuteMs

interface CachedKeys {
  keys?: TokenKeys
  /** When the read of `keys` began. */
  readAtMs: number
  reading?: Promise<TokenKeys>
  /** After a failed read, the cached keys stay in use until this time. */
  failedUntilMs: number
}

const cachedKeysIn = perContext((): CachedKeys => ({ readAtMs: 0, failedUntilMs: 0 }))

const read = (ctx: Context): Promise<TokenKeys> => {
  const cached = cachedKeysIn(ctx)
  const startedMs = ctx.clock.now()
  cached.reading ??= readSecret(ctx, ctx.env('TOKEN_KEYS_SECRET'))
    .then((text) => {
      const keys = z.parse(TokenKeys, JSON.parse(text))
      Object.assign(cached, { keys, readAtMs: startedMs })
      return keys
    })
    .finally(() => {
      delete cached.reading
    })
  return cached.reading
}

/** The keys. Those of fifteen minutes ago are read again; if that fails, they stay in use. */
const readTokenKeys = async (ctx: Context): Promise<TokenKeys> => {
  const cached = cachedKeysIn(ctx)
  const { keys, readAtMs, failedUntilMs } = cached
  if (keys === undefined) return read(ctx)
  const nowMs = ctx.clock.now()
  if (nowMs < Math.max(readAtMs + keysTtlMs, failedUntilMs)) return keys
  try {
    return await read(ctx)
  } catch (error) {
    cached.failedUntilMs = nowMs + rereadMs
    ctx.log.warn('the token keys were not read again', { reason: String(error) })
    return keys
  }
}

/**
 * The keys, if they may be newer than those that did not verify a token; undefined if those are less than a minute old.
 * Throws if they cannot be read: a token must not be rejected because of old keys.
 */
const rereadTokenKeys = async (ctx: Context): Promise<TokenKeys | undefined> =>
  ctx.clock.now() - cachedKeysIn(ctx).readAtMs < rereadMs ? undefined : read(ctx)

/** The kinds of bearer token. The id in a token names its row; the secret proves possession. */
const tokenKinds = ['ses', 'pat', 'app'] as const
type TokenKind = (typeof tokenKinds)[number]

const idLengths = { ses: 8, pat: 4, app: 4 } as const

export interface TokenParts {
  kind: TokenKind
  /** The person, or the application, that the token belongs to. */
  userId: string
  tokenId: string
  secretHash: string
}

/**
 * Published for secret scanners: finds our tokens anywhere in a text. It means the same in RE2 and Hyperscan, and no part of
 * it can be slow.
 */
export const leakedTokenPattern =
  'svc_(?:(?:pat|app)_[0-9A-Za-z]{16}|ses_[0-9A-Za-z]{20}|o[ar]t_[0-9A-Za-z]{46})_[0-9A-Za-z]{49}'

/** The whole text is one of our tokens; the groups are its parts. */
export const tokenPattern =
  /^svc_(ses|pat|app)_([0-9A-Za-z]{12})([0-9A-Za-z]{8}|[0-9A-Za-z]{4})_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/

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
  const [, name, userId, tokenId, secret, sum] = tokenPattern.exec(token) ?? []
  const kind = tokenKinds.find((known) => known === name)
  if (kind === undefined || !userId || !tokenId || !secret || !sum) return undefined
  if (tokenId.length !== idLengths[kind]) return undefined
  return (await hasCheck(ctx, token)) ? { kind, userId, tokenId, secretHash: digest(secret) } : undefined
}

/** Compares two stored hashes in constant time. */
export const sameHash = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
