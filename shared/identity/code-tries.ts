import type { Context } from '../context.ts'
import { wasCurrent } from '../db/condition-failed.ts'
import { absent, allOf, anyOf, atLeast, atMost, below } from '../db/expression.ts'
import { type Key, update } from '../db/table.ts'
import { Refusal } from '../errors/refusal.ts'

/**
 * Decided: five wrong codes per person within a quarter of an hour. With 20^8 codes and a thousand devices waiting, a
 * person who tries without pause for a year finds one with a chance of less than one in a hundred.
 */
export const wrongCodes = 5
const windowSeconds = 900

const keyOf = (userId: string): Key => ({ PK: `USER#${userId}`, SK: 'CODE-TRIES' })

/** Counts a try before anything is looked up, so that tries side by side cannot pass the limit. */
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

/** Gives back a try that was right. */
export const forgetCodeTry = async (ctx: Context, userId: string): Promise<void> => {
  await wasCurrent(update(ctx, keyOf(userId), { add: { count: -1 } }, atLeast('count', 1)))
}
