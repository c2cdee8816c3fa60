const longestMs = 2 ** 31 - 1
// A moved or frozen test clock must not turn a timer into a busy loop.
const shortestMs = 2

/** Calls back when real time has run as far as the clock is from the moment; the caller looks at the clock again. */
export function setTimeoutUntil(moment: number, now: () => number, callback: () => void): NodeJS.Timeout {
  return setTimeout(callback, Math.min(longestMs, Math.max(shortestMs, moment - now())))
}
