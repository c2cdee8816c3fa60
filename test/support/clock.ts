import { setImmediate as yieldOnce } from 'node:timers/promises'
import { systemClock } from '../../infra/local/service/system-clock.ts'
import type { MovableClock } from '../../infra/local/service/virtual-time.ts'

export interface VirtualClock extends MovableClock {
  /** Moves the time on; nothing is delivered by that, unlike `service.pass`. */
  pass(ms: number): void
}

/** How many turns of the event loop a sleep takes: who sleeps longer than another comes back later, though no time passes. */
const turnsOf = (ms: number) => 1 + Math.min(100, Math.floor(ms / 10))

/** A clock that stands still until a caller sleeps or moves it; sleeping moves it forward, never back. */
export const virtualClock = (startMs: number): VirtualClock => {
  let nowMs = startMs
  return {
    now: () => nowMs,
    async sleep(ms) {
      nowMs = Math.max(nowMs, nowMs + ms)
      for (let turns = turnsOf(ms); turns > 0; turns -= 1) await yieldOnce()
    },
    set(ms) {
      nowMs = ms
    },
    pass(ms) {
      nowMs += ms
    },
  }
}

const refuseToMove = (): never => {
  throw new Error('the time of this machine cannot be moved')
}

/** The real time, for the few tests that are about it. */
export const realClock: VirtualClock = { ...systemClock, set: refuseToMove, pass: refuseToMove }
