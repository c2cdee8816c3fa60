import type { Context } from '../../context.ts'
import { changeHealth } from './change.ts'
import { maySlowDown } from './condition.ts'
import { firstFields } from './first-fields.ts'
import type { HealthKey } from './row.ts'
import { healthLifecycle } from './transitions.ts'

/** A response takes long: from now on, the drain sends a few deliveries at a time. */
export const slowDown = async (ctx: Context, endpoint: HealthKey): Promise<void> => {
  const dueAtMs = ctx.clock.now()
  const { state: _, dueAtMs: __, ...setOnce } = firstFields(endpoint, dueAtMs)
  await changeHealth(ctx, endpoint, healthLifecycle.change('slowDown', { set: { dueAtMs }, setOnce }), maySlowDown)
}
