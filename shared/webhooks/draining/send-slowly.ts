import type { Context } from '../../context.ts'
import { maxSlowRequests, slowAfterMs } from '../health/policy.ts'
import { type LeasedEndpoint, recovered, type StepResult, sendWaiting } from './step.ts'
import { readWaiting } from './waiting.ts'

/** Sends a slow endpoint some of the due deliveries, and the next ones when all of these have a response. */
export const sendSlowly = async (ctx: Context, leased: LeasedEndpoint): Promise<StepResult> => {
  const due = await readWaiting(ctx, leased.health, { count: maxSlowRequests, dueMs: ctx.clock.now() })
  // The next delivery enqueues the next step.
  if (due.length === 0) return { transition: 'continue' }
  const outcomes = await sendWaiting(ctx, leased, due)
  const isQuick = outcomes.length > 0 && outcomes.every(({ durationMs }) => durationMs < slowAfterMs)
  return isQuick && due.length < maxSlowRequests ? recovered : { transition: 'continue', nextMs: 0 }
}
