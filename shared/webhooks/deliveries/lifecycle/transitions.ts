import type { Change } from '../../../db/expression.ts'
import { notSwept } from '../../../db/sweep-at.ts'
import type { Delivery } from './row.ts'
import type { DeliveryStateKind } from './state.ts'

type Clearable = 'nextAttemptAt' | 'leaseUntilMs' | 'waitingKey' | (typeof notSwept)[number]

interface Transition {
  /** Who takes the step. No write takes the steps of `time`. */
  by: 'worker' | 'user' | 'time'
  /** The states that it leads from, each with the states that it leads to. */
  moves: Partial<Readonly<Record<DeliveryStateKind, readonly (DeliveryStateKind | 'deleted')[]>>>
  /** The attributes that it removes from the row. */
  clears: readonly Clearable[]
}

/** The attributes that only a pending delivery has. */
const ofPending = ['nextAttemptAt', 'leaseUntilMs', 'waitingKey', ...notSwept] as const satisfies readonly Clearable[]

/** Everything that happens to a stored delivery: who does it, from which states to which, and what it clears. */
export const transitions = {
  /** One worker leases the delivery and sends it. */
  claim: { by: 'worker', moves: { pending: ['sending'] }, clears: [] },
  /** The worker crashed. */
  expireLease: { by: 'time', moves: { sending: ['pending'] }, clears: [] },
  /** The endpoint is slow or recovering: its drain sends the delivery. */
  defer: { by: 'worker', moves: { pending: ['pending'] }, clears: [] },
  /** The endpoint is failing: the sweeper looks again when the schedule is over, the drain when a probe succeeds. */
  park: { by: 'worker', moves: { pending: ['pending'] }, clears: [] },
  /** A redelivery of a waiting event: it is due now, with all tries again. */
  pullForward: { by: 'user', moves: { pending: ['pending'] }, clears: [] },
  /** The receiver answered 2xx. */
  succeed: { by: 'worker', moves: { sending: ['succeeded'], pending: ['succeeded'] }, clears: ofPending },
  /** The attempt failed; the row of the next one is written in the same transaction. */
  fail: { by: 'worker', moves: { sending: ['failed'], pending: ['failed'] }, clears: ofPending },
  /** The last try failed, or the schedule is over. */
  exhaust: { by: 'worker', moves: { sending: ['exhausted'], pending: ['exhausted'] }, clears: ofPending },
  /** The endpoint no longer takes deliveries, or the event has expired. */
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
} as const satisfies Record<string, Transition>

export type DeliveryTransition = keyof typeof transitions

/** The status in which an attempt ends, and the transition that leads there. */
export type FinalStatus = Exclude<Delivery['status'], 'pending'>
export const endings = {
  succeeded: 'succeed',
  failed: 'fail',
  exhausted: 'exhaust',
  discarded: 'discard',
} as const satisfies Record<FinalStatus, DeliveryTransition>

/** The change of a transition: what it sets, and the attributes that the table clears. */
export const changeOf = (name: DeliveryTransition, set: NonNullable<Change['set']>): Change => ({
  set,
  remove: [...transitions[name].clears],
})
