import type { EngineClock } from '../engine.ts'
import { Earlier } from './earlier.ts'
import { Past } from './past.ts'
import type { Store, View } from './store.ts'

/**
 * The lag of reads that are not strongly consistent: reads of an index, and those of the table without `ConsistentRead`.
 * Writes and transactional reads always meet the present state (AWS, DynamoDB developer guide, "DynamoDB read consistency":
 * such a read "might not reflect the results of a recently completed write operation"; "Global secondary indexes": changes
 * reach an index "within a fraction of a second, under normal conditions").
 */
export interface LagOptions {
  /** The most that a read lags, in milliseconds of the engine's clock; AWS names no bound. */
  boundMs: number
  /**
   * Without a seed, each read lags by the whole bound: a write is visible once the clock has moved on by that much, and
   * never before. With a seed, each item or page that is read lags by a random time between 0 and the bound, so that a later
   * read can show an earlier state than the previous one, as replicas of different age do.
   */
  seed?: number
}

/** Numbers from 0 up to, not including, 1, always the same for a seed (Tommy Ettinger's Mulberry32, public domain). */
const numbersOf = (seed: number) => {
  let state = seed
  return (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Lets reads of a store lag behind its writes. The history is lost when the process ends: then all writes are visible. */
export const lagBehind = (store: Store, clock: EngineClock, { boundMs, seed }: LagOptions): (() => View) => {
  const past = new Past(clock, boundMs)
  store.watch(past)
  const draw = seed === undefined ? undefined : numbersOf(seed)
  const ageMs = () => (draw === undefined ? boundMs : Math.floor(draw() * (boundMs + 1)))
  return () => new Earlier(store, past, clock.now() - ageMs())
}
