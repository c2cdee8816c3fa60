import type { Context } from '../../context.ts'
import { equal } from '../../db/expression.ts'
import { sweepAt } from '../../db/sweep-at.ts'
import { TransactionFailed, transact } from '../../db/table.ts'
import type { Endpoint } from '../endpoints/endpoint.ts'
import { enqueueDrain } from '../health/enqueue-drain.ts'
import { type Health, healths } from '../health/row.ts'
import { stateOf } from '../health/state.ts'
import { type Delivery, deliveries } from './delivery.ts'
import { closeWithoutAttempt } from './finish.ts'
import { scheduleEndsMs } from './retry-schedule.ts'

/**
 * Parks a delivery of a failing endpoint: it sleeps until its schedule would be over, and goes out before that as soon as
 * a probe is answered. Parked only as long as the endpoint is failing, so that the one who ends that sees it.
 */
const park = async (ctx: Context, health: Health, delivery: Delivery): Promise<void> => {
  const change = { set: sweepAt(delivery.id, delivery.firstAtMs + scheduleEndsMs) }
  const key = deliveries.key(delivery)
  try {
    await transact(ctx, () => [
      { update: key, change, when: equal('status', 'pending') },
      { check: healths.key(health), when: equal('state', 'failing') },
    ])
  } catch (error) {
    // The endpoint is back, or the row was sent meanwhile; where neither is true its own sweep time brings it back.
    if (!(error instanceof TransactionFailed)) throw error
  }
}

/** Whether a delivery is not simply sent: because of its endpoint's state, and not something that has come since. */
export const mustDefer = (health: Health, { createdAt, cause, step }: Delivery): boolean => {
  // What somebody asked for goes out whatever the state: it tells how the endpoint is.
  if (health.state === 'active' || cause === 'test' || (cause === 'redelivery' && step === 1)) return false
  const state = stateOf(health)
  return state.kind !== 'recovering' || Date.parse(createdAt) <= state.sinceMs
}

/** Leaves a delivery to the steps of an endpoint that is failing, recovering or slow. */
export const deferDelivery = async (
  ctx: Context,
  endpoint: Endpoint,
  health: Health,
  delivery: Delivery,
): Promise<void> => {
  const now = ctx.clock.now()
  if (health.state === 'failing') {
    const over = now >= delivery.firstAtMs + scheduleEndsMs
    return over ? closeWithoutAttempt(ctx, delivery, 'exhausted') : park(ctx, health, delivery)
  }
  // The step that is being made may have looked already.
  const isHeld = health.leaseUntilMs !== undefined && health.leaseUntilMs > now
  await enqueueDrain(ctx, endpoint, isHeld ? 1 : 0)
}
