import type { Context } from '../../../context.ts'
import { wasCurrent } from '../../../db/condition-failed.ts'
import { leaseMsOf } from '../../../db/lease.ts'
import { sweepBy, sweepGraceMs } from '../../../db/sweep-at.ts'
import { updateOnly } from '../../../db/table.ts'
import { timeoutSecondsOf } from '../../../resources.ts'
import { isPending } from './condition.ts'
import { type Delivery, deliveries } from './row.ts'
import { deliveryLifecycle } from './transitions.ts'

/** The drain sends deliveries, too. */
const leaseMs = leaseMsOf(Math.max(timeoutSecondsOf.deliver, timeoutSecondsOf.drain))

/** Leases a delivery to send it; false if another worker holds it or it has ended. */
export const claimDelivery = (ctx: Context, delivery: Delivery): Promise<boolean> => {
  const now = ctx.clock.now()
  const leaseUntilMs = now + leaseMs
  const change = deliveryLifecycle.change('claim', {
    set: { leaseUntilMs, ...sweepBy(delivery, leaseUntilMs + sweepGraceMs) },
  })
  return wasCurrent(updateOnly(ctx, deliveries.key(delivery), change, isPending(now)))
}
