import type { Outcome } from './attempt.ts'
import { type Delivery, pendingDelivery } from './delivery.ts'
import { nextWaitSeconds } from './retry.ts'

/** What an attempt comes to: its word in the log, the attempt that follows, and whether the receiver wants no more. */
export interface Verdict {
  status: Delivery['status']
  next?: { row: Delivery; waitSeconds: number }
  gone?: true
}

/** Judges an attempt; success, a test, 410 and the last try have no attempt after them. */
export const judge = (delivery: Delivery, outcome: Outcome, nowMs: number): Verdict => {
  const { httpStatus, errorCode, retryAfter } = outcome
  if (errorCode === null) return { status: 'succeeded' }
  if (delivery.test) return { status: 'failed' }
  if (httpStatus === 410) return { status: 'discarded', gone: true }
  const asked = httpStatus === 429 || httpStatus === 503 ? retryAfter : undefined
  const waitSeconds = nextWaitSeconds(delivery.attempt, asked)
  if (waitSeconds === undefined) return { status: 'exhausted' }
  const row = pendingDelivery({ ...delivery, attempt: delivery.attempt + 1 }, nowMs + waitSeconds * 1000, nowMs)
  return { status: 'failed', next: { row, waitSeconds } }
}
