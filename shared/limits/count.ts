import { type Context, measured, perContext } from '../context.ts'
import { absent, allOf, anyOf, atLeast, atMost, below, present } from '../db/expression.ts'
import { ConditionFailed, type Item, type Key, update } from '../db/table.ts'
import { Refusal } from '../errors/refusal.ts'
import { countKeys } from '../resources.ts'

/**
 * A number of calls in a number of seconds: all of them in one burst, and each call is available again after its share of
 * the time.
 */
export interface Limit {
  calls: number
  perSeconds: number
}

/**
 * The state of a caller's limit. The whole state is one time, `fullAtMicros`, at which all calls are available again: a
 * call moves it forward by its share, and is refused if that would move it further ahead than all calls together (GCRA,
 * the virtual scheduling algorithm of ITU-T I.371). Whole microseconds, so that sums are exact here and in the table.
 */
export interface RateLimitState {
  passes: boolean
  remaining: number
  fullAtMicros: number
  /** Seconds after which a refused call passes; 0 if this call passes. */
  retryAfterSeconds: number
}

/** A call's share of the time, in microseconds. */
export const shareMicros = ({ calls, perSeconds }: Limit): number => Math.floor((perSeconds * 1_000_000) / calls)

/** The latest `fullAtMicros` at which this many more calls pass. */
const latestMicros = (limit: Limit, nowMicros: number, calls = 1): number =>
  nowMicros + (limit.calls - calls) * shareMicros(limit)

/** The state after an accepted call. */
const passed = (limit: Limit, nowMicros: number, fullAtMicros: number): RateLimitState => ({
  passes: true,
  remaining: Math.floor((latestMicros(limit, nowMicros) - fullAtMicros) / shareMicros(limit)) + 1,
  fullAtMicros,
  retryAfterSeconds: 0,
})

/** The state after a refused call, which changes nothing. */
const refused = (limit: Limit, nowMicros: number, fullAtMicros: number, calls = 1): RateLimitState => ({
  passes: false,
  remaining: 0,
  fullAtMicros,
  // Rounded up, so that a caller who waits this long is never too early.
  retryAfterSeconds: Math.ceil((fullAtMicros - latestMicros(limit, nowMicros, calls)) / 1_000_000),
})

/** Counts one call; `fullAtMicros` is undefined for a caller without earlier calls. */
export const step = (limit: Limit, nowMicros: number, fullAtMicros: number | undefined): RateLimitState => {
  const from = Math.max(nowMicros, fullAtMicros ?? nowMicros)
  return from > latestMicros(limit, nowMicros)
    ? refused(limit, nowMicros, from)
    : passed(limit, nowMicros, from + shareMicros(limit))
}

/** The refusal of a call above the rate limit, as specified. */
export const rateLimitExceeded = (retryAfterSeconds: number): Refusal =>
  new Refusal('limited', 'Rate limit exceeded', { code: 'rate_limited', retryAfterSeconds })

/** The refusal if a call must be counted and cannot be. */
export const rateLimitUnavailable = (): Refusal =>
  new Refusal('unavailable', 'Rate limiting is temporarily unavailable. Nothing was changed. Retry in a few seconds.', {
    code: 'unavailable',
    retryAfterSeconds: 5,
  })

/** Logs a call that could not be counted; an alarm watches the metric. */
export const logNotCounted = (ctx: Context, call: { limit: string; route?: string }, error: unknown): void =>
  ctx.log.error('calls are not counted', {
    ...call,
    reason: String(error),
    ...measured(ctx, { name: 'UncountedCalls', value: 1 }),
  })

/** The last known `fullAtMicros` of each caller in this environment. It only moves forward, except when a call is returned. */
const maxCounters = 1_000
const seen = perContext(() => new Map<string, number>())

const keep = (ctx: Context, who: string, fullAtMicros: number): number => {
  const counters = seen(ctx)
  counters.delete(who)
  counters.set(who, fullAtMicros)
  const [oldest] = counters.keys()
  if (counters.size > maxCounters && oldest !== undefined) counters.delete(oldest)
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
  { calls, nowMicros, from }: { calls: number; nowMicros: number; from: number | undefined },
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
      const row = await move(ctx, who, limit, { calls, nowMicros, from })
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

/** Counts within this environment only, while the table does not respond. */
export const countLocally = (ctx: Context, who: string, limit: Limit): RateLimitState => {
  const state = step(limit, nowMicrosOf(ctx), seen(ctx).get(who))
  keep(ctx, who, state.fullAtMicros)
  return state
}

/** Returns one call that was counted for a person who turned out not to be the caller. */
export const refund = async (ctx: Context, who: string, limit: Limit): Promise<void> => {
  const row = await update(ctx, countRow(who), { add: { fullAtMicros: -shareMicros(limit) } }, present('PK'))
  keep(ctx, who, momentIn(row) ?? 0)
}
