/** So many calls in so many seconds: that many at once, and each of them back after its share of the time. */
export interface Limit {
  calls: number
  perSeconds: number
}

/**
 * Where a caller stands. The whole state is one moment, `fullAtMicros`, at which all calls are free again: a call moves
 * it on by its share, and is refused where that would lead further ahead than all calls together (GCRA, the virtual
 * scheduling algorithm of ITU-T I.371). Whole microseconds, so that sums are exact here and in the table.
 */
export interface RateLimitState {
  passes: boolean
  remaining: number
  fullAtMicros: number
  /** Seconds after which a refused call passes; 0 where this one passes. */
  retryAfterSeconds: number
}

/** A call's share of the time, in microseconds. */
export const shareMicros = ({ calls, perSeconds }: Limit): number => Math.floor((perSeconds * 1_000_000) / calls)

/** The latest `fullAtMicros` at which so many more calls pass. */
export const latestMicros = (limit: Limit, nowMicros: number, calls = 1): number =>
  nowMicros + (limit.calls - calls) * shareMicros(limit)

/** Where a caller stands after a call that was taken. */
export const passed = (limit: Limit, nowMicros: number, fullAtMicros: number): RateLimitState => ({
  passes: true,
  remaining: Math.floor((latestMicros(limit, nowMicros) - fullAtMicros) / shareMicros(limit)) + 1,
  fullAtMicros,
  retryAfterSeconds: 0,
})

/** Where a caller stands after a call that was refused, which has moved nothing. */
export const refused = (limit: Limit, nowMicros: number, fullAtMicros: number, calls = 1): RateLimitState => ({
  passes: false,
  remaining: 0,
  fullAtMicros,
  // Rounded up, so that whoever waits as long as told is never too early.
  retryAfterSeconds: Math.ceil((fullAtMicros - latestMicros(limit, nowMicros, calls)) / 1_000_000),
})

/** One call of a caller who was full again, or will be, at this moment; undefined for one who never called. */
export const step = (limit: Limit, nowMicros: number, fullAtMicros: number | undefined): RateLimitState => {
  const from = Math.max(nowMicros, fullAtMicros ?? nowMicros)
  return from > latestMicros(limit, nowMicros)
    ? refused(limit, nowMicros, from)
    : passed(limit, nowMicros, from + shareMicros(limit))
}
