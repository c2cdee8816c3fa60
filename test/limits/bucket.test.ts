import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Limit, type RateLimitState, shareMicros, step } from '../../shared/limits/count.ts'
import { limitNames, specifiedLimits } from '../../shared/limits/limits.ts'

const startMicros = Date.UTC(2030, 0, 1) * 1000
const secondMicros = 1_000_000

const anyLimit = fc.record({ calls: fc.integer({ min: 1, max: 40 }), perSeconds: fc.integer({ min: 1, max: 900 }) })
const specified = fc.constantFrom(...limitNames.map((name) => specifiedLimits[name]))
const limit = fc.oneof(anyLimit, specified)

/** Waits between calls: none, a little, about a call's share, and as long as it takes to be full again. */
const waits = (of: Limit) => {
  const share = shareMicros(of)
  const around = fc.integer({ min: -2, max: 2 }).map((off) => Math.max(0, share + off))
  const some = fc.integer({ min: 0, max: 2 * share })
  const all = fc.constant(share * of.calls)
  const wait = fc.oneof(
    { weight: 8, arbitrary: fc.constant(0) },
    { weight: 3, arbitrary: around },
    { weight: 3, arbitrary: some },
    { weight: 1, arbitrary: all },
  )
  return fc.array(wait, { minLength: 1, maxLength: 120 })
}

const walk = limit.chain((of) => fc.record({ of: fc.constant(of), waits: waits(of) }))

/** Calls after these waits, each with its moment and where it left the caller. */
const callsAfter = (of: Limit, pauses: readonly number[]) => {
  let nowMicros = startMicros
  let standing: RateLimitState | undefined
  return pauses.map((pause) => {
    nowMicros += pause
    standing = step(of, nowMicros, standing?.fullAtMicros)
    return { nowMicros, standing }
  })
}

/**
 * The rule in its plainest form, with all calls remembered: from any call that passed on, no more pass than the limit
 * has and the time since has given back.
 */
const conforms = (of: Limit, passedAt: readonly number[], nowMicros: number) =>
  passedAt.every((since, n) => passedAt.length - n + 1 <= of.calls + (nowMicros - since) / shareMicros(of))

test('a request passes exactly when the reference implementation allows it', () => {
  fc.assert(
    fc.property(walk, ({ of, waits: pauses }) => {
      const passedAt: number[] = []
      for (const { nowMicros, standing } of callsAfter(of, pauses)) {
        expect(standing.passes).toBe(conforms(of, passedAt, nowMicros))
        if (standing.passes) passedAt.push(nowMicros)
      }
    }),
    { numRuns: 500 },
  )
})

test('remaining is the number of further requests that pass immediately', () => {
  fc.assert(
    fc.property(walk, ({ of, waits: pauses }) => {
      const last = callsAfter(of, pauses).at(-1)
      if (last === undefined) return
      let { fullAtMicros } = last.standing
      for (let left = last.standing.remaining; left > 0; left -= 1) {
        const next = step(of, last.nowMicros, fullAtMicros)
        expect([next.passes, next.remaining]).toEqual([true, left - 1])
        fullAtMicros = next.fullAtMicros
      }
      expect(step(of, last.nowMicros, fullAtMicros).passes).toBe(false)
    }),
  )
})

test('allows a request at Retry-After and not a second earlier, and rejected requests change nothing', () => {
  fc.assert(
    fc.property(walk, fc.integer({ min: 0, max: 50 }), ({ of, waits: pauses }, position) => {
      const calls = callsAfter(of, [...pauses, ...Array.from({ length: of.calls + 1 }, () => 0)])
      const { nowMicros, standing } = calls.at(-1) ?? { nowMicros: 0, standing: step(of, 0, 0) }
      expect(standing).toMatchObject({ passes: false, remaining: 0 })
      for (let n = 0; n < position; n += 1) {
        expect(step(of, nowMicros, standing.fullAtMicros).fullAtMicros).toBe(standing.fullAtMicros)
      }
      const after = (seconds: number) => step(of, nowMicros + seconds * secondMicros, standing.fullAtMicros).passes
      expect([after(standing.retryAfterSeconds), after(standing.retryAfterSeconds - 1)]).toEqual([true, false])
    }),
  )
})

test('a new caller has the full burst, and has it again after the period', () => {
  fc.assert(
    fc.property(limit, (of) => {
      const all = Array.from({ length: of.calls + 5 }, () => 0)
      const passing = (pauses: readonly number[]) => callsAfter(of, pauses).filter(({ standing }) => standing.passes)
      expect(passing(all)).toHaveLength(of.calls)
      expect(passing([...all, of.perSeconds * secondMicros, ...all.slice(1)])).toHaveLength(2 * of.calls)
    }),
  )
})
