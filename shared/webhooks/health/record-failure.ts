import type { Context } from '../../context.ts'
import { sweepAt } from '../../db/sweep-at.ts'
import { changeHealth } from './change.ts'
import { mayFail } from './condition.ts'
import { firstFields } from './first-fields.ts'
import { failuresUntilFailing, probeWaitMs } from './policy.ts'
import type { HealthKey } from './row.ts'
import { healthLifecycle } from './transitions.ts'

/** Counts a failed attempt. The fifth in a row makes the endpoint failing, and plans its first probe. */
export const recordFailure = async (
  ctx: Context,
  endpoint: HealthKey,
  requestedDelaySeconds: number | undefined,
): Promise<void> => {
  const now = ctx.clock.now()
  const { failures: _, ...fields } = firstFields(endpoint, now)
  const setOnce = { ...fields, failingSinceMs: now }
  const health = await changeHealth(
    ctx,
    endpoint,
    healthLifecycle.change('countFailure', { setOnce, add: { failures: 1 } }),
  )
  if (!health || health.failures < failuresUntilFailing || !healthLifecycle.mayFollow('fail', health.state)) return
  const dueAtMs = now + probeWaitMs(0, requestedDelaySeconds)
  const set = { probeCount: 0, dueAtMs, ...sweepAt(health.id, dueAtMs) }
  await changeHealth(ctx, health, healthLifecycle.change('fail', { set }), mayFail)
}
