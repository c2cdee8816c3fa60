import type { EngineClock } from '../engines/engine.ts'

/** Counts requests in fixed windows, for rate limit headers. The stand-ins do not enforce limits: use a fault for that. */
export function countWindow(
  lengthMs: number,
  clock: EngineClock,
): { count(key: string): { used: number; endsAt: number } } {
  let windows = new Map<string, number>()
  let endsAt = 0
  return {
    count(key) {
      if (clock.now() >= endsAt || clock.now() < endsAt - lengthMs) {
        windows = new Map()
        endsAt = (Math.floor(clock.now() / lengthMs) + 1) * lengthMs
      }
      const used = (windows.get(key) ?? 0) + 1
      windows.set(key, used)
      return { used, endsAt }
    },
  }
}
