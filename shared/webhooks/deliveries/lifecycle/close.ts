import type { Context } from '../../../context.ts'
import { wasCurrent } from '../../../db/condition-failed.ts'
import { updateOnly } from '../../../db/table.ts'
import { notEnded } from './condition.ts'
import { type Delivery, deliveries } from './row.ts'
import { deliveryLifecycle, endings } from './transitions.ts'

/** Ends a delivery without another attempt; does nothing if it has already ended. */
export const closeWithoutAttempt = async (
  ctx: Context,
  delivery: Delivery,
  status: 'discarded' | 'exhausted',
): Promise<void> => {
  await wasCurrent(updateOnly(ctx, deliveries.key(delivery), deliveryLifecycle.change(endings[status], {}), notEnded))
}
