import { recoveryPerSecond } from '../health/pace.ts'
import { recovered, type Step, sendWaiting } from './step.ts'
import { readWaiting } from './waiting.ts'

const secondMs = 1000

/**
 * Sends an endpoint that is back a second's worth of what was parked, oldest first. What has come since goes its own way
 * meanwhile, and so does what fails now.
 */
export const release: Step = async (ctx, held) => {
  const { health } = held
  const count = recoveryPerSecond(ctx.clock.now() - health.paceFromMs)
  const parked = await readWaiting(ctx, health, { count, madeByMs: health.sinceMs })
  if (parked.length === 0) return recovered
  const outcomes = await sendWaiting(ctx, held, parked)
  const failed = outcomes.some(({ errorCode }) => errorCode !== null)
  return { ...(failed ? { set: { paceFromMs: ctx.clock.now() } } : {}), nextMs: secondMs }
}
