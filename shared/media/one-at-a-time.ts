import { type Context, perContext } from '../context.ts'

/**
 * Decided: a file that waits longer than this for others is converted later. A worker has a minute for all messages of a
 * batch, and one image can take 45 seconds of it.
 */
const maxWaitMs = 10_000

/**
 * Runs one job at a time in each context: the bytes of a file are read when its turn comes, because many at the same time
 * would fill the memory. A job that waited longer than `maxWaitMs` throws the error of `late`; without `late`, it waits for
 * its turn.
 */
type Enqueue = <T>(ctx: Context, run: () => Promise<T>, late?: () => Error) => Promise<T>

export const oneAtATime = (): Enqueue => {
  const lines = perContext(() => ({ last: Promise.resolve<unknown>(undefined) }))
  return (ctx, run, late) => {
    const line = lines(ctx)
    const latestMs = ctx.clock.now() + maxWaitMs
    const mine = line.last.then(() => {
      if (late !== undefined && ctx.clock.now() > latestMs) throw late()
      return run()
    })
    line.last = mine.catch(() => undefined)
    return mine
  }
}
