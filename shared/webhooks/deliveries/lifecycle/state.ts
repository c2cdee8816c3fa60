import { allOf, type Condition, equal } from '../../../db/expression.ts'
import { leaseFree } from '../../../db/lease.ts'
import type { AttemptRecord, Delivery } from './row.ts'

/** The state of a delivery, derived from its row and the time. */
export type DeliveryState =
  /** Waits for its time, or for its endpoint. */
  | { kind: 'pending'; dueMs: number }
  /** A worker holds it. */
  | { kind: 'sending'; untilMs: number }
  | { kind: 'succeeded'; outcome: AttemptRecord }
  /** Another attempt follows, unless it was a test. */
  | { kind: 'failed'; outcome: AttemptRecord }
  /** No try is left. Without an outcome, the schedule ended while it was parked. */
  | { kind: 'exhausted'; outcome: AttemptRecord | undefined }
  /** The endpoint is disabled or deleted, or the event has expired; with an outcome, the receiver returned 410. */
  | { kind: 'discarded'; outcome: AttemptRecord | undefined }

export type DeliveryStateKind = DeliveryState['kind']

const stored = <T>(value: T | undefined, { id, status }: Delivery, name: string): T => {
  if (value === undefined) throw new Error(`the delivery ${id} is ${status} without ${name}`)
  return value
}

/** The state of a stored row at a given time. */
export const stateOf = (delivery: Delivery, nowMs: number): DeliveryState => {
  const { status, leaseUntilMs, nextAttemptAt, outcome } = delivery
  switch (status) {
    case 'pending':
      return leaseUntilMs !== undefined && leaseUntilMs > nowMs
        ? { kind: 'sending', untilMs: leaseUntilMs }
        : { kind: 'pending', dueMs: Date.parse(stored(nextAttemptAt, delivery, 'nextAttemptAt')) }
    case 'succeeded':
    case 'failed':
      return { kind: status, outcome: stored(outcome, delivery, 'outcome') }
    case 'exhausted':
    case 'discarded':
      return { kind: status, outcome }
  }
}

// The states of `state.ts` as conditions of DynamoDB.

/** `pending` or `sending`. A worker whose lease has expired can still log its attempt if no other worker has. */
export const notEnded: Condition = equal('status', 'pending')

/** `pending`: no worker holds it. */
export const isPending = (nowMs: number): Condition => allOf(notEnded, leaseFree('leaseUntilMs', nowMs))
