import { maxSlowRequests, slowAfterMs } from '../health/pace.ts'
import { recovered, type Step, sendWaiting } from './step.ts'
import { readWaiting } from './waiting.ts'

/** Sends a slow endpoint some of what is due, and goes on with the next when all of these are answered. */
export const sendSlowly: Step = async (ctx, held) => {
  const due = await readWaiting(ctx, held.health, { count: maxSlowRequests, dueMs: ctx.clock.now() })
  // The message of the next delivery brings somebody here.
  if (due.length === 0) return {}
  const outcomes = await sendWaiting(ctx, held, due)
  const isQuick = outcomes.length > 0 && outcomes.every(({ durationMs }) => durationMs < slowAfterMs)
  return isQuick && due.length < maxSlowRequests ? recovered : { nextMs: 0 }
}
