import type { Context } from '../context.ts'
import { wasCurrent } from '../db/condition-failed.ts'
import { absent, allOf, anyOf, atLeast, atMost, below } from '../db/expression.ts'
import { type Key, update } from '../db/table.ts'
import { Refusal } from '../errors/refusal.ts'

/**
 * Decided: five wrong codes per person in 15 minutes. With 20^8 codes and a thousand pending devices, a person who
 * tries without pause for a year finds one with a probability of less than one in a hundred.
 */
export const wrongCodes = 5
const windowSeconds = 900

const keyOf = (userId: string): Key => ({ PK: `USER#${userId}`, SK: 'CODE-TRIES' })

/** Counts an attempt before any lookup, so that concurrent attempts cannot exceed the limit. */
export const countCodeTry = async (ctx: Context, userId: string): Promise<void> => {
  const nowMs = ctx.clock.now()
  const endsAtMs = nowMs + windowSeconds * 1000
  const first = { set: { type: 'CodeTries', count: 1, endsAtMs, ttl: Math.ceil(endsAtMs / 1000) } }
  const opened = update(ctx, keyOf(userId), first, anyOf(absent('PK'), atMost('endsAtMs', nowMs)))
  if (await wasCurrent(opened)) return
  const within = allOf(atLeast('endsAtMs', nowMs + 1), below('count', wrongCodes))
  const counted = update(ctx, keyOf(userId), { add: { count: 1 } }, within)
  if (await wasCurrent(counted)) return
  throw new Refusal('limited', 'Too many wrong codes. Wait 15 minutes, then try again.', {
    code: 'rate_limited',
    retryAfterSeconds: windowSeconds,
  })
}

/** Gives back an attempt with a right code. */
export const forgetCodeTry = async (ctx: Context, userId: string): Promise<void> => {
  await wasCurrent(update(ctx, keyOf(userId), { add: { count: -1 } }, atLeast('count', 1)))
}
