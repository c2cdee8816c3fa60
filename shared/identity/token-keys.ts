import * as z from 'zod/mini'
import { readSecret } from '../aws/secret.ts'
import { type Context, perContext } from '../context.ts'
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
export const keysHeldMs = 15 * minuteMs
/** An unknown check makes an environment read the keys again, at most this often. */
const rereadMs = minuteMs

interface Held {
  keys?: TokenKeys
  /** When the read of `keys` began. */
  readAtMs: number
  reading?: Promise<TokenKeys>
  /** After a failed read, the keys that are held stay in use until this time. */
  failedUntilMs: number
}

const heldIn = perContext((): Held => ({ readAtMs: 0, failedUntilMs: 0 }))

const read = (ctx: Context): Promise<TokenKeys> => {
  const held = heldIn(ctx)
  const startedMs = ctx.clock.now()
  held.reading ??= readSecret(ctx, ctx.env('TOKEN_KEYS_SECRET'))
    .then((text) => {
      const keys = z.parse(TokenKeys, JSON.parse(text))
      Object.assign(held, { keys, readAtMs: startedMs })
      return keys
    })
    .finally(() => {
      delete held.reading
    })
  return held.reading
}

/** The keys. Those of fifteen minutes ago are read again; if that fails, they stay in use. */
export const readTokenKeys = async (ctx: Context): Promise<TokenKeys> => {
  const held = heldIn(ctx)
  const { keys, readAtMs, failedUntilMs } = held
  if (keys === undefined) return read(ctx)
  const nowMs = ctx.clock.now()
  if (nowMs < Math.max(readAtMs + keysHeldMs, failedUntilMs)) return keys
  try {
    return await read(ctx)
  } catch (error) {
    held.failedUntilMs = nowMs + rereadMs
    ctx.log.warn('the token keys were not read again', { reason: String(error) })
    return keys
  }
}

/**
 * The keys, if they may be newer than those that did not verify a token; undefined if those are less than a minute old.
 * Throws if they cannot be read: a token must not be rejected because of old keys.
 */
export const rereadTokenKeys = async (ctx: Context): Promise<TokenKeys | undefined> =>
  ctx.clock.now() - heldIn(ctx).readAtMs < rereadMs ? undefined : read(ctx)
