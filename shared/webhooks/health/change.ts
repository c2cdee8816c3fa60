import type { Context } from '../../context.ts'
import { ifCurrent } from '../../db/condition-failed.ts'
import type { Change, Condition } from '../../db/expression.ts'
import { update } from '../../db/table.ts'
import { type Health, type HealthKey, healths, ttlAt } from './row.ts'

/** Changes a row and extends its expiry; undefined if the condition does not hold. */
export const changeHealth = async (
  ctx: Context,
  key: HealthKey,
  change: Change,
  when?: Condition,
): Promise<Health | undefined> => {
  const set = { ...change.set, ttl: ttlAt(ctx.clock.now()) }
  const item = await ifCurrent(update(ctx, healths.key(key), { ...change, set }, when))
  return item && healths.parse(item)
}
