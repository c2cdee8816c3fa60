/**
 * So many calls in so many seconds: all of them at once, and each call is available again after its share of the time.
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
export const latestMicros = (limit: Limit, nowMicros: number, calls = 1): number =>
  nowMicros + (limit.calls - calls) * shareMicros(limit)

/** The state after an accepted call. */
export const passed = (limit: Limit, nowMicros: number, fullAtMicros: number): RateLimitState => ({
  passes: true,
  remaining: Math.floor((latestMicros(limit, nowMicros) - fullAtMicros) / shareMicros(limit)) + 1,
  fullAtMicros,
  retryAfterSeconds: 0,
})

/** The state after a refused call, which changes nothing. */
export const refused = (limit: Limit, nowMicros: number, fullAtMicros: number, calls = 1): RateLimitState => ({
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
