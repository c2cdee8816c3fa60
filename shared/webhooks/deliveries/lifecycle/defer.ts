import type { Context } from '../../../context.ts'
import { wasCurrent } from '../../../db/condition-failed.ts'
import { updateOnly } from '../../../db/table.ts'
import { isPending } from './condition.ts'
import { type Delivery, deliveries, waitingKey } from './row.ts'
import { deliveryLifecycle } from './transitions.ts'

/** Lets the drain of its endpoint find a delivery; false if the drain could find it before. */
export const letDrainFind = async (ctx: Context, delivery: Delivery): Promise<boolean> => {
  if (delivery.waitingKey !== undefined) return false
  const change = deliveryLifecycle.change('defer', { set: { waitingKey: waitingKey(delivery) } })
  return wasCurrent(updateOnly(ctx, deliveries.key(delivery), change, isPending(ctx.clock.now())))
}
