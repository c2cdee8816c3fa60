import { maxDelaySeconds } from '../../aws/queue.ts'
import { probeWaitMs } from '../health/policy.ts'
import { type Delivery, maxAttempts, pendingDelivery } from './delivery.ts'
import { nextWaitSeconds, scheduleEndsMs } from './retry-schedule.ts'
import { type Outcome, requestedDelaySeconds } from './send-request.ts'

/** What an attempt comes to: its word in the log, the attempt that follows, and whether the receiver wants no more. */
export interface NextStep {
  status: Delivery['status']
  next?: {
    row: Delivery
    /** Until its message arrives; absent where the sweeper alone finds the row. */
    delaySeconds?: number
    sweepAtMs: number
  }
  gone?: true
}

const sweepGraceMs = 60_000

/** The attempt behind a failed probe: at the same try of the schedule, and parked like all others. */
const afterProbe = (delivery: Delivery, nowMs: number, waitMs: number): NextStep => {
  const sweepAtMs = delivery.firstAtMs + scheduleEndsMs
  if (nowMs >= sweepAtMs) return { status: 'exhausted' }
  const row = pendingDelivery({ ...delivery, attempt: delivery.attempt + 1 }, nowMs + waitMs, nowMs)
  return { status: 'failed', next: { row, sweepAtMs } }
}

/**
 * Judges an attempt; success, a test, 410 and the last try have no attempt after them. `probes` is set for a probe of a
 * failing endpoint: how many there have been with it.
 */
export const decideNext = (delivery: Delivery, outcome: Outcome, nowMs: number, probeCount?: number): NextStep => {
  if (outcome.errorCode === null) return { status: 'succeeded' }
  if (delivery.cause === 'test') return { status: 'failed' }
  if (outcome.httpStatus === 410) return { status: 'discarded', gone: true }
  // Its id has no room for more.
  if (delivery.attempt >= maxAttempts) return { status: 'exhausted' }
  const asked = requestedDelaySeconds(outcome)
  if (probeCount !== undefined) return afterProbe(delivery, nowMs, probeWaitMs(probeCount, asked))
  const waitSeconds = nextWaitSeconds(delivery.step, asked)
  if (waitSeconds === undefined) return { status: 'exhausted' }
  const dueMs = nowMs + waitSeconds * 1000
  const row = pendingDelivery({ ...delivery, attempt: delivery.attempt + 1, step: delivery.step + 1 }, dueMs, nowMs)
  // What SQS can hold back has a message; the sweeper finds it later than that, everything else when it is due.
  if (waitSeconds > maxDelaySeconds) return { status: 'failed', next: { row, sweepAtMs: dueMs } }
  return { status: 'failed', next: { row, delaySeconds: Math.ceil(waitSeconds), sweepAtMs: dueMs + sweepGraceMs } }
}
