import { expect } from 'vitest'
import type { Context, Effect } from '../../shared/context.ts'
import { Crash } from './crash.ts'

/** Runs work that crashes after its n-th effect and has no further effect; returns its effects. */
const isCrash = (error: unknown): boolean => error instanceof Crash

export const crashAfter = <Of>(ctx: Context, work: (ctx: Context, of: Of) => Promise<void>) => {
  let done: string[] = []
  let last: number | undefined
  const observe = async <T>({ action }: Effect, run: () => Promise<T>): Promise<T> => {
    if (last !== undefined && done.length > last) throw new Crash('dead already')
    done.push(action)
    const answer = await run()
    if (done.length - 1 === last) throw new Crash(`after ${action}`)
    return answer
  }
  const crashing: Context = { ...ctx, observe }
  return async (of: Of, dieAfter?: number): Promise<string[]> => {
    done = []
    last = dieAfter
    const pass = work(crashing, of)
    if (dieAfter === undefined) await pass
    // A worker leaves a message that it cannot send to the sweeper, and goes on.
    else expect(await pass.then(() => done[dieAfter] === 'SendMessage', isCrash), `after effect ${dieAfter}`).toBe(true)
    return done
  }
}
