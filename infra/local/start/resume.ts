import type { Context } from '../../../shared/context.ts'
import { sweep } from '../../../shared/posts/sweep.ts'

// The sweeper's own waits are a minute at most, and its clock strikes each minute.
const aheadMs = 90_000

/**
 * Goes on with what a kill cut off. The messages for it may be lost, or seem to be in a worker's hands until they time
 * out, so the sweeper runs once as if it were a little later. It only sends messages again, and the rows decide.
 */
export const resume = (ctx: Context): Promise<void> =>
  sweep({ ...ctx, clock: { ...ctx.clock, now: () => ctx.clock.now() + aheadMs } })
