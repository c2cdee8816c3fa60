import type { Context } from '../../../context.ts'
import { wasCurrent } from '../../../db/condition-failed.ts'
import { equal } from '../../../db/expression.ts'
import { sweepAt } from '../../../db/sweep-at.ts'
import { transact } from '../../../db/table.ts'
import { type Health, healths } from '../../health/row.ts'
import { isPending } from './condition.ts'
import { scheduleEndsMs } from './retry-schedule.ts'
import { type Delivery, deliveries, waitingKey } from './row.ts'
import { deliveryLifecycle } from './transitions.ts'

/**
 * Parks a delivery of a failing endpoint until its schedule is over or a probe succeeds. It is parked only while the
 * endpoint is failing, so that the transition out of `failing` finds it. If the endpoint has recovered, or another worker
 * sends or has sent the delivery, nothing is written: the sweep time of the row brings it here again.
 */
export const parkDelivery = async (ctx: Context, health: Health, delivery: Delivery): Promise<void> => {
  const untilMs = delivery.firstAtMs + scheduleEndsMs
  const change = deliveryLifecycle.change('park', {
    set: { waitingKey: waitingKey(delivery), ...sweepAt(delivery.id, untilMs) },
  })
  const writes = [
    { update: deliveries.key(delivery), change, when: isPending(ctx.clock.now()) },
    { check: healths.key(health), when: equal('state', 'failing') },
  ]
  await wasCurrent(transact(ctx, () => writes))
}
