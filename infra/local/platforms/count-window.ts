import type { SimulatorContext } from './standin.ts'

interface Window {
  /** Counts a call: returns the seconds until the next window if it exceeds the limit. */
  take(key: string): number | undefined
  /** The remaining calls, and the end of the window. */
  shown(key: string): { left: number; endsAt: number }
}

/** Counts calls in fixed windows, as rate limits of platforms do. Where limits are off, one call is always left. */
export function countWindow(
  { max, perMs }: { max: number; perMs: number },
  { clock, limitsCalls }: Pick<SimulatorContext, 'clock' | 'limitsCalls'>,
): Window {
  let used = new Map<string, number>()
  let endsAt = 0
  function turn(): void {
    if (clock.now() < endsAt && clock.now() >= endsAt - perMs) return
    used = new Map()
    endsAt = (Math.floor(clock.now() / perMs) + 1) * perMs
  }
  return {
    take(key) {
      turn()
      const calls = (used.get(key) ?? 0) + 1
      used.set(key, calls)
      return limitsCalls && calls > max ? (endsAt - clock.now()) / 1000 : undefined
    },
    shown(key) {
      turn()
      return { left: Math.max(limitsCalls ? 0 : 1, max - (used.get(key) ?? 0)), endsAt }
    },
  }
}
