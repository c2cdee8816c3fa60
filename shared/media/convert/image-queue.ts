import { type Context, perContext } from '../../context.ts'
import { ImageError } from './image-job.ts'

/**
 * Runs one job at a time in each context: the bytes of an image are read when its turn comes, because many at once
 * would fill the memory. Throws `ImageError` for a job that waited longer than `maxWaitMs`.
 */
type Enqueue = <T>(ctx: Context, make: () => Promise<T>, maxWaitMs?: number) => Promise<T>

export const imageQueue = (): Enqueue => {
  const lines = perContext(() => ({ last: Promise.resolve<unknown>(undefined) }))
  return (ctx, make, maxWaitMs = Number.POSITIVE_INFINITY) => {
    const line = lines(ctx)
    const latestMs = ctx.clock.now() + maxWaitMs
    const mine = line.last.then(() => {
      if (ctx.clock.now() > latestMs) throw new ImageError({ why: 'late' })
      return make()
    })
    line.last = mine.catch(() => undefined)
    return mine
  }
}
