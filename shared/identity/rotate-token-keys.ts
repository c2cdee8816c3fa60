import { randomBytes } from 'node:crypto'
import * as z from 'zod/mini'
import { readSecretVersion } from '../aws/secret.ts'
import { storeSecret } from '../aws/store-secret.ts'
import type { Context } from '../context.ts'
import { dayMs } from '../time.ts'
import { keysTtlMs, TokenKeys } from './token.ts'

/** Twice as long as an environment caches keys: after this time every environment knows a stored key. */
const spreadMs = 2 * keysTtlMs

/** Sessions and tokens of the usual life have expired after this time. */
const tokenLifeMs = 365 * dayMs

/** What a step of the rotation did, or when it will be possible. */
export type RotationStep =
  | { kind: 'added' | 'switched'; readyAtMs: number }
  | { kind: 'removed' | 'nothing-to-remove' }
  | { kind: 'too-early'; readyAtMs: number; changedAtMs: number }

const readKeys = async (ctx: Context) => {
  const { text, storedAtMs } = await readSecretVersion(ctx, ctx.env('TOKEN_KEYS_SECRET'))
  return { keys: z.parse(TokenKeys, JSON.parse(text)), storedAtMs }
}

const storeKeys = (ctx: Context, keys: TokenKeys): Promise<void> =>
  storeSecret(ctx, ctx.env('TOKEN_KEYS_SECRET'), JSON.stringify(keys))

/**
 * The next step of a rotation: stores the new key, which only verifies; thirty minutes later signs with it, and keeps the
 * previous one for verification. A step that is too early changes nothing; an interrupted step can be repeated.
 */
export const rotateTokenKeys = async (ctx: Context): Promise<RotationStep> => {
  const { keys, storedAtMs } = await readKeys(ctx)
  const { current, next, previous = [] } = keys
  const nowMs = ctx.clock.now()
  if (next === undefined) {
    await storeKeys(ctx, { ...keys, next: randomBytes(32).toString('hex') })
    return { kind: 'added', readyAtMs: nowMs + spreadMs }
  }
  const readyAtMs = storedAtMs + spreadMs
  if (nowMs < readyAtMs) return { kind: 'too-early', readyAtMs, changedAtMs: storedAtMs }
  await storeKeys(ctx, { current: next, previous: [current, ...previous] })
  return { kind: 'switched', readyAtMs: nowMs + tokenLifeMs }
}

/**
 * Removes the keys of earlier rotations, which ends the tokens that they signed. It waits until tokens of the usual life
 * have expired; with `endTokens` only until no environment signs with an old key.
 */
export const removePreviousKeys = async (ctx: Context, endTokens: boolean): Promise<RotationStep> => {
  const { keys, storedAtMs } = await readKeys(ctx)
  const { previous, ...others } = keys
  if (previous === undefined) return { kind: 'nothing-to-remove' }
  const readyAtMs = storedAtMs + (endTokens ? spreadMs : tokenLifeMs)
  if (ctx.clock.now() < readyAtMs) return { kind: 'too-early', readyAtMs, changedAtMs: storedAtMs }
  await storeKeys(ctx, others)
  return { kind: 'removed' }
}
