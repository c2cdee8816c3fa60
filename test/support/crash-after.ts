import { expect } from 'vitest'
import type { Context, Effect } from '../../shared/context.ts'
import { Crash } from './crash.ts'

/** Runs work that crashes after its n-th effect and has no further effect; returns its effects. */
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
    await (dieAfter === undefined ? pass : expect(pass, `after effect ${dieAfter}`).rejects.toThrow(Crash))
    return done
  }
}
