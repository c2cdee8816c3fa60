/** Waits before the 1st, 2nd, … try, each after the previous one: 13 tries in 76 h 42 m. */
export const retryWaitsSeconds = [
  0, 5, 30, 120, 600, 1800, 3600, 10_800, 21_600, 43_200, 57_600, 64_800, 72_000,
] as const

/** When a parked delivery is exhausted, counted from its first try: at the end of its schedule. */
export const scheduleEndsMs = retryWaitsSeconds.reduce<number>((sum, seconds) => sum + seconds, 0) * 1000

const maxRetryAfterSeconds = 24 * 3600

/**
 * The wait before the try after the n-th, with ±20 % jitter; undefined if all tries are used up. A Retry-After header
 * is respected between the scheduled wait and 24 h.
 */
export const nextWaitSeconds = (
  step: number,
  asked: number | undefined,
  random = Math.random(),
): number | undefined => {
  const planned = retryWaitsSeconds[step]
  if (planned === undefined) return undefined
  const wait = planned * (0.8 + 0.4 * random)
  return asked === undefined ? wait : Math.min(Math.max(wait, asked), maxRetryAfterSeconds)
}
