import fc from 'fast-check'
import { expect, test } from 'vitest'
import { retryAfterSeconds } from '../../shared/net/send.ts'
import { nextWaitSeconds } from '../../shared/webhooks/deliveries/lifecycle/next-step.ts'

const now = Date.UTC(2030, 0, 1, 12)
const day = 86_400
const minute = 60
const hour = 3600
/** As promised, written out again: the waits before the second try and those after it. */
const promised = [
  5,
  30,
  2 * minute,
  10 * minute,
  30 * minute,
  ...[1, 3, 6, 12, 16, 18, 20].map((hours) => hours * hour),
]

test('thirteen attempts span 76 hours and 42 minutes', () => {
  const waits = Array.from({ length: 12 }, (_, n) => nextWaitSeconds(n + 1, undefined, 0.5))
  expect(waits).toEqual(promised)
  expect(promised.reduce((sum, wait) => sum + wait, 0)).toBe(76 * hour + 42 * minute + 35)
  expect(nextWaitSeconds(13, undefined)).toBeUndefined()
  expect(nextWaitSeconds(13, 60)).toBeUndefined()
})

test('delays have a jitter of 20 percent in both directions', () => {
  for (const [n, wait] of promised.entries()) {
    expect(nextWaitSeconds(n + 1, undefined, 0)).toBeCloseTo(wait * 0.8)
    expect(nextWaitSeconds(n + 1, undefined, 1)).toBeCloseTo(wait * 1.2)
    const drawn = nextWaitSeconds(n + 1, undefined) ?? 0
    expect(Math.abs(drawn - wait)).toBeLessThanOrEqual(wait * 0.2 + 1e-6)
  }
})

test('Retry-After applies between the scheduled delay and one day', () => {
  expect(nextWaitSeconds(1, 0, 0.5)).toBe(5)
  expect(nextWaitSeconds(1, 120, 0.5)).toBe(120)
  expect(nextWaitSeconds(12, 120, 0.5)).toBe(20 * hour)
  expect(nextWaitSeconds(1, 1e20, 0.5)).toBe(day)
})

test('the delay stays within its bounds for any header', () => {
  const rubbish = fc.oneof(
    fc.string(),
    fc.nat().map(String),
    fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
  )
  fc.assert(
    fc.property(fc.option(rubbish, { nil: undefined }), fc.integer({ min: 1, max: 12 }), (header, attempt) => {
      const wait = nextWaitSeconds(attempt, retryAfterSeconds(header, now)) ?? 0
      expect(wait).toBeGreaterThanOrEqual((promised[attempt - 1] ?? 0) * 0.8)
      expect(wait).toBeLessThanOrEqual(day)
    }),
  )
})
