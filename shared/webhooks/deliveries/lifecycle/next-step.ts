import { maxDelaySeconds } from '../../../aws/queue.ts'
import { sweepGraceMs } from '../../../db/sweep-at.ts'
import { probeWaitMs } from '../../health/policy.ts'
import { type Outcome, requestedDelaySeconds } from '../send-request.ts'
import { pendingDelivery } from './plan.ts'
import { nextWaitSeconds, scheduleEndsMs } from './retry-schedule.ts'
import { type Delivery, maxAttempts } from './row.ts'
import type { FinalStatus } from './transitions.ts'

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
