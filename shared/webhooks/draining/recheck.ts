import type { Context } from '../../context.ts'
import { enqueueDeliveries } from '../deliveries/enqueue.ts'
import type { HealthState } from '../health/state.ts'
import { indexLagMs, type LeasedEndpoint, type StepResult } from './step.ts'
import { readWaiting } from './waiting.ts'

const perStep = 100
const secondMs = 1000

/**
 * Enqueues the deliveries that are still waiting for a recovered endpoint: first those deferred during the lease, and a
 * minute later those that the index, which can lag, did not show.
 */
export const recheck = async (
  ctx: Context,
  { health }: LeasedEndpoint,
  { recheckCount }: Extract<HealthState, { kind: 'active' }>,
): Promise<StepResult> => {
  const isFirst = recheckCount === 0
  const dueMs = ctx.clock.now() - (isFirst ? 0 : indexLagMs)
  const left = await readWaiting(ctx, health, { count: perStep, dueMs })
  await enqueueDeliveries(
    ctx,
    left.map(({ delivery }) => delivery),
  )
  if (left.length === perStep) return { transition: 'continue', nextMs: secondMs }
  if (!isFirst) return { transition: 'continue' }
  return { transition: 'recheck', set: { recheckCount: 1 }, nextMs: indexLagMs }
}
