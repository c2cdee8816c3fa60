import { defineLifecycle } from '../../../db/lifecycle.ts'
import { notSwept } from '../../../db/sweep-at.ts'
import { type Delivery, deliveries } from './row.ts'
import type { DeliveryStateKind } from './state.ts'

/** The attributes that only a pending delivery has. */
const ofPending = ['nextAttemptAt', 'leaseUntilMs', 'waitingKey', ...notSwept] as const

/** Everything that happens to a stored delivery: the actor, the states before and after, and the attributes that it clears. */
export const deliveryLifecycle = defineLifecycle({
  entity: deliveries,
  attribute: 'status',
  states: {
    pending: 'pending',
    sending: 'pending',
    succeeded: 'succeeded',
    failed: 'failed',
    exhausted: 'exhausted',
    discarded: 'discarded',
  } satisfies Record<DeliveryStateKind, Delivery['status']>,
  transitions: {
    /** One worker leases the delivery and sends it. */
    claim: { by: 'worker', moves: { pending: ['sending'] }, clears: [] },
    /** The worker crashed. */
    expireLease: { by: 'time', moves: { sending: ['pending'] }, clears: [] },
    /** The endpoint is slow or recovering: its drain sends the delivery. */
    defer: { by: 'worker', moves: { pending: ['pending'] }, clears: [] },
    /** The endpoint is failing: the sweeper looks again when the schedule is over, the drain when a probe succeeds. */
    park: { by: 'worker', moves: { pending: ['pending'] }, clears: [] },
    /** A redelivery of a waiting event: it is due now, with all tries again. */
    reschedule: { by: 'user', moves: { pending: ['pending'] }, clears: [] },
    /** The receiver returned 2xx. */
    succeed: { by: 'worker', moves: { sending: ['succeeded'], pending: ['succeeded'] }, clears: ofPending },
    /** The attempt failed; the row of the next one is written in the same transaction. */
    fail: { by: 'worker', moves: { sending: ['failed'], pending: ['failed'] }, clears: ofPending },
    /** The last try failed, or the schedule is over. */
    exhaust: { by: 'worker', moves: { sending: ['exhausted'], pending: ['exhausted'] }, clears: ofPending },
    /** The endpoint no longer accepts deliveries, or the event has expired. */
    discard: { by: 'worker', moves: { sending: ['discarded'], pending: ['discarded'] }, clears: ofPending },
    /** The row outlives the retention period by the length of a schedule. */
    expire: {
      by: 'time',
      moves: {
        pending: ['deleted'],
        succeeded: ['deleted'],
        failed: ['deleted'],
        exhausted: ['deleted'],
        discarded: ['deleted'],
      },
      clears: [],
    },
  },
})

/** The status in which an attempt ends, and the transition that leads there. */
export type FinalStatus = Exclude<Delivery['status'], 'pending'>
export const endings = {
  succeeded: 'succeed',
  failed: 'fail',
  exhausted: 'exhaust',
  discarded: 'discard',
} as const satisfies Record<FinalStatus, keyof typeof deliveryLifecycle.transitions>
