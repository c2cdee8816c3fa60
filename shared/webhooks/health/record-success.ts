import type { Context } from '../../context.ts'
import { sweepAt, sweepGraceMs } from '../../db/sweep-at.ts'
import { changeHealth } from './change.ts'
import type { Health } from './row.ts'
import { healthLifecycle } from './transitions.ts'

/** Records the success of a failing endpoint; true if this attempt started the recovery. */
const startRecovery = async (ctx: Context, health: Health): Promise<boolean> => {
  const now = ctx.clock.now()
  const set = {
    ...{ recovery: { sinceMs: now, rampStartMs: now }, failures: 0 },
    ...{ dueAtMs: now, ...sweepAt(health.id, now + sweepGraceMs) },
  }
  const changed = await changeHealth(
    ctx,
    health,
    healthLifecycle.change('startRecovery', { set }),
    healthLifecycle.when('startRecovery'),
  )
  return changed !== undefined
}

/** Resets the failures after a success; `health` is as it was before the attempt. True if the drain has work now. */
export const recordSuccess = async (ctx: Context, health: Health): Promise<boolean> => {
  if (health.state === 'failing') return startRecovery(ctx, health)
  if (health.failures > 0) {
    await changeHealth(
      ctx,
      health,
      healthLifecycle.change('succeed', { set: { failures: 0 } }),
      healthLifecycle.when('succeed'),
    )
  }
  return false
}
