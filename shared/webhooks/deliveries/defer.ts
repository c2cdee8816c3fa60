import type { Context } from '../../context.ts'
import type { Endpoint } from '../endpoints/endpoint.ts'
import { enqueueDrain } from '../health/enqueue-drain.ts'
import type { Health } from '../health/row.ts'
import { stateOf } from '../health/state.ts'
import { closeWithoutAttempt } from './lifecycle/close.ts'
import { letDrainFind } from './lifecycle/defer.ts'
import { parkDelivery } from './lifecycle/park.ts'
import { scheduleEndsMs } from './lifecycle/retry-schedule.ts'
import type { Delivery } from './lifecycle/row.ts'

/** Whether a delivery is deferred, because of its endpoint's state when it was created. */
export const mustDefer = (health: Health, { createdAt, cause, step }: Delivery): boolean => {
  // What a user requested is sent in any state: its outcome shows the state of the endpoint.
  if (health.state === 'active' || cause === 'test' || (cause === 'redelivery' && step === 1)) return false
  const state = stateOf(health)
  return state.kind !== 'recovering' || Date.parse(createdAt) <= state.sinceMs
}

/** Leaves a delivery to the drain of an endpoint that is failing, recovering, or slow. */
export const deferDelivery = async (
  ctx: Context,
  endpoint: Endpoint,
  health: Health,
  delivery: Delivery,
): Promise<void> => {
  const now = ctx.clock.now()
  if (health.state === 'failing') {
    const isOver = now >= delivery.firstAtMs + scheduleEndsMs
    return isOver ? closeWithoutAttempt(ctx, delivery, 'exhausted') : parkDelivery(ctx, health, delivery)
  }
  const isNew = await letDrainFind(ctx, delivery)
  // A running step may have already read the waiting deliveries, and the index may not show a new one at once.
  const isLeased = health.leaseUntilMs !== undefined && health.leaseUntilMs > now
  await enqueueDrain(ctx, endpoint, isNew || isLeased ? 1 : 0)
}
