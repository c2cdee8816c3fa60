import type { Context } from '../../../context.ts'
import { wasCurrent } from '../../../db/condition-failed.ts'
import { sweepBy, sweepGraceMs } from '../../../db/sweep-at.ts'
import { updateOnly } from '../../../db/table.ts'
import { isPending } from './condition.ts'
import { type Delivery, deliveries } from './row.ts'
import { changeOf } from './transitions.ts'

/** Longer than the function's timeout: when the lease ends, its holder is dead. */
const leaseMs = 60_000

/** Leases a delivery to send it; false if another worker holds it or it has ended. */
export const claimDelivery = (ctx: Context, delivery: Delivery): Promise<boolean> => {
  const now = ctx.clock.now()
  const leaseUntilMs = now + leaseMs
  const change = changeOf('claim', { leaseUntilMs, ...sweepBy(delivery, leaseUntilMs + sweepGraceMs) })
  return wasCurrent(updateOnly(ctx, deliveries.key(delivery), change, isPending(now)))
}
