import { maxDelaySeconds } from '../../../aws/queue.ts'
import { sweepGraceMs } from '../../../db/sweep-at.ts'
import { probeWaitMs } from '../../health/policy.ts'
import { type Outcome, requestedDelaySeconds } from '../send-request.ts'
import { type Delivery, maxAttempts, pendingDelivery } from './row.ts'
import type { FinalStatus } from './transitions.ts'

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
  requestedSeconds: number | undefined,
  random = Math.random(),
): number | undefined => {
  const planned = retryWaitsSeconds[step]
  if (planned === undefined) return undefined
  const wait = planned * (0.8 + 0.4 * random)
  return requestedSeconds === undefined ? wait : Math.min(Math.max(wait, requestedSeconds), maxRetryAfterSeconds)
}

/** What follows an attempt: its status in the log, the next attempt, and whether the endpoint is gone. */
export interface NextStep {
  status: FinalStatus
  next?: {
    row: Delivery
    /** The delay of its message; absent if only the sweeper starts it. */
    delaySeconds?: number
    sweepAtMs: number
  }
  gone?: true
}

/** The attempt after a failed probe: the same try of the schedule, parked like all others. */
const afterProbe = (delivery: Delivery, nowMs: number, waitMs: number): NextStep => {
  const sweepAtMs = delivery.firstAtMs + scheduleEndsMs
  if (nowMs >= sweepAtMs) return { status: 'exhausted' }
  const row = pendingDelivery({ ...delivery, attempt: delivery.attempt + 1 }, nowMs + waitMs, nowMs)
  return { status: 'failed', next: { row, sweepAtMs } }
}

/**
 * Decides what follows an attempt. There is no attempt after a success, a test, a 410, and the last try. `probeCount`
 * is set for a probe of a failing endpoint.
 */
export const decideNext = (delivery: Delivery, outcome: Outcome, nowMs: number, probeCount?: number): NextStep => {
  if (outcome.errorCode === null) return { status: 'succeeded' }
  if (delivery.cause === 'test') return { status: 'failed' }
  if (outcome.httpStatus === 410) return { status: 'discarded', gone: true }
  // An id has no room for more attempts.
  if (delivery.attempt >= maxAttempts) return { status: 'exhausted' }
  const requestedSeconds = requestedDelaySeconds(outcome)
  if (probeCount !== undefined) return afterProbe(delivery, nowMs, probeWaitMs(probeCount, requestedSeconds))
  const waitSeconds = nextWaitSeconds(delivery.step, requestedSeconds)
  if (waitSeconds === undefined) return { status: 'exhausted' }
  const dueMs = nowMs + waitSeconds * 1000
  const row = pendingDelivery({ ...delivery, attempt: delivery.attempt + 1, step: delivery.step + 1 }, dueMs, nowMs)
  // A delay that SQS accepts gets a message, and the sweeper looks later; longer waits are left to the sweeper.
  if (waitSeconds > maxDelaySeconds) return { status: 'failed', next: { row, sweepAtMs: dueMs } }
  return { status: 'failed', next: { row, delaySeconds: Math.ceil(waitSeconds), sweepAtMs: dueMs + sweepGraceMs } }
}
