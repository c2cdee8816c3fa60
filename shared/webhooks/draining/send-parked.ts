import type { Context } from '../../context.ts'
import { recoveryPerSecond } from '../health/policy.ts'
import type { HealthState } from '../health/state.ts'
import { type LeasedEndpoint, recovered, type StepResult, sendWaiting } from './step.ts'
import { readWaiting } from './waiting.ts'

const secondMs = 1000

/**
 * Sends a recovering endpoint its parked deliveries, oldest first, at the current rate. Deliveries created since the
 * recovery began are sent immediately, and so are those that fail now.
 */
export const sendParked = async (
  ctx: Context,
  leased: LeasedEndpoint,
  { sinceMs, rampStartMs }: Extract<HealthState, { kind: 'recovering' }>,
): Promise<StepResult> => {
  const count = recoveryPerSecond(ctx.clock.now() - rampStartMs)
  const parked = await readWaiting(ctx, leased.health, { count, createdByMs: sinceMs })
  if (parked.length === 0) return recovered
  const outcomes = await sendWaiting(ctx, leased, parked)
  if (outcomes.every(({ errorCode }) => errorCode === null)) return { transition: 'continue', nextMs: secondMs }
  const recovery = { sinceMs, rampStartMs: ctx.clock.now() }
  return { transition: 'restartRamp', set: { recovery }, nextMs: secondMs }
}
