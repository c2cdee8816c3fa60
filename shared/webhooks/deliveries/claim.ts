import type { Context } from '../../context.ts'
import { absent, allOf, anyOf, atMost, equal } from '../../db/expression.ts'
import { ConditionFailed, updateOnly } from '../../db/table.ts'
import { type Delivery, deliveries } from './delivery.ts'

/** Longer than the function may run: where it ends, its holder is dead. */
const leaseMs = 60_000
const sweepGraceMs = 60_000

/** Takes the attempt for a minute; false where somebody else has it or it is over. */
export const claimDelivery = async (ctx: Context, delivery: Delivery): Promise<boolean> => {
  const now = ctx.clock.now()
  const free = anyOf(absent('leaseUntilMs'), atMost('leaseUntilMs', now))
  const change = { set: { leaseUntilMs: now + leaseMs, sweepAtMs: now + leaseMs + sweepGraceMs } }
  try {
    await updateOnly(ctx, deliveries.key(delivery), change, allOf(equal('status', 'pending'), free))
    return true
  } catch (error) {
    if (error instanceof ConditionFailed) return false
    throw error
  }
}
