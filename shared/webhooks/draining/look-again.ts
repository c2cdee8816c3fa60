import { enqueueDeliveries } from '../deliveries/enqueue.ts'
import { recheckAfterMs, type Step } from './step.ts'
import { readWaiting } from './waiting.ts'

const atOnce = 100
const secondMs = 1000

/**
 * Looks whether anything was left waiting: at first what came while the endpoint was held, and a while later what the index,
 * which may lag, had hidden. It goes out like any other.
 */
export const recheck: Step = async (ctx, { health }) => {
  const isFirst = health.turns === 0
  const dueMs = ctx.clock.now() - (isFirst ? 0 : recheckAfterMs)
  const left = await readWaiting(ctx, health, { count: atOnce, dueMs })
  await enqueueDeliveries(
    ctx,
    left.map(({ delivery }) => delivery),
  )
  if (left.length === atOnce) return { nextMs: secondMs }
  return isFirst ? { set: { turns: 1 }, nextMs: recheckAfterMs } : {}
}
