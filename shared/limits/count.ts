import { type Context, perContext } from '../context.ts'
import { absent, allOf, anyOf, atLeast, atMost, below, present } from '../db/expression.ts'
import { ConditionFailed, type Item, type Key, update } from '../db/table.ts'
import { countKeys } from '../resources.ts'
import { type Limit, latestMicros, passed, type RateLimitState, refused, shareMicros, step } from './bucket.ts'

/**
 * The last known `fullAtMicros` of each caller in this environment. It only moves forward, except when a call is given
 * back.
 */
const maxKept = 1_000
const seen = perContext(() => new Map<string, number>())

const keep = (ctx: Context, who: string, fullAtMicros: number): number => {
  const kept = seen(ctx)
  kept.delete(who)
  kept.set(who, fullAtMicros)
  const [oldest] = kept.keys()
  if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest)
  return fullAtMicros
}

/** The key of the row that counts a caller's calls. */
export const countRow = (who: string): Key => ({ PK: `${countKeys}${who}`, SK: 'RL' })
const nowMicrosOf = (ctx: Context) => ctx.clock.now() * 1000
/** The `fullAtMicros` in a row of `countRow`. */
export const momentIn = (row: Item | undefined) => {
  const moment = row?.['fullAtMicros']
  return typeof moment === 'number' ? moment : undefined
}

/** Moves a caller's `fullAtMicros` forward in one conditional write; a write that fails returns the stored value. */
const move = (
  ctx: Context,
  who: string,
  limit: Limit,
  calls: number,
  nowMicros: number,
  from: number | undefined,
): Promise<Item> => {
  const ttl = Math.ceil(nowMicros / 1_000_000) + 2 * limit.perSeconds
  if (from === undefined || from < nowMicros) {
    const set = { fullAtMicros: nowMicros + calls * shareMicros(limit), ttl, type: 'Count' }
    return update(ctx, countRow(who), { set }, anyOf(absent('PK'), below('fullAtMicros', nowMicros)))
  }
  const change = { add: { fullAtMicros: calls * shareMicros(limit) }, set: { ttl } }
  const latest = latestMicros(limit, nowMicros, calls)
  return update(ctx, countRow(who), change, allOf(atLeast('fullAtMicros', nowMicros), atMost('fullAtMicros', latest)))
}

/** One write for an idle caller, one for an active caller, and one lost race for each. */
const maxWrites = 4

/**
 * Counts a call, or several (at most `limit.calls`) that pass or are refused together: one conditional write, and a
 * second one if this environment does not know whether the caller is active. A refusal is a failed condition, so it
 * uses up nothing; one that is certain from the last known state is not even written.
 */
export const countCall = async (ctx: Context, who: string, limit: Limit, calls = 1): Promise<RateLimitState> => {
  const nowMicros = nowMicrosOf(ctx)
  let from = seen(ctx).get(who)
  for (let written = 0; written < maxWrites; written += 1) {
    if (from !== undefined && from > latestMicros(limit, nowMicros, calls))
      return refused(limit, nowMicros, from, calls)
    try {
      const row = await move(ctx, who, limit, calls, nowMicros, from)
      const fullAtMicros = momentIn(row) ?? nowMicros
      // Responses can arrive out of order.
      keep(ctx, who, Math.max(fullAtMicros, seen(ctx).get(who) ?? 0))
      return passed(limit, nowMicros, fullAtMicros)
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error
      from = keep(ctx, who, momentIn(error.row) ?? 0)
    }
  }
  throw new Error(`the counter changed ${maxWrites} times while one call was counted`)
}

/** Counts within this environment alone, while the table does not answer. */
export const countLocally = (ctx: Context, who: string, limit: Limit): RateLimitState => {
  const standing = step(limit, nowMicrosOf(ctx), seen(ctx).get(who))
  keep(ctx, who, standing.fullAtMicros)
  return standing
}

/** Gives back one call that was counted for a person who turned out not to be the caller. */
export const refund = async (ctx: Context, who: string, limit: Limit): Promise<void> => {
  const row = await update(ctx, countRow(who), { add: { fullAtMicros: -shareMicros(limit) } }, present('PK'))
  keep(ctx, who, momentIn(row) ?? 0)
}
