import { AsyncLocalStorage } from 'node:async_hooks'
import type { Effect, Observe } from '../../../shared/context.ts'

/** The death of a process in the middle of its work, which tests simulate by throwing it from `observe`. */
export class Crash extends Error {
  override name = 'Crash'
}

/** An effect, and which function had it. */
export interface FunctionEffect extends Effect {
  functionName: string
}

/** Runs an effect of a function; tests count, record and crash with it. */
export type ObserveFunction = <T>(effect: FunctionEffect, run: () => Promise<T>) => Promise<T>

const current = new AsyncLocalStorage<{ crash: Crash | undefined }>()

/** The seam of one function: once an invocation has crashed, it has no further effect. */
export const observeAs =
  (functionName: string, observe: ObserveFunction): Observe =>
  async (effect, run) => {
    const invocation = current.getStore()
    if (invocation?.crash) throw invocation.crash
    try {
      return await observe({ ...effect, functionName }, run)
    } catch (error) {
      if (error instanceof Crash && invocation) invocation.crash = error
      throw error
    }
  }

/** One invocation. A crash ends it, whatever the code did with the error. */
export const runInvocation = async <T>(run: () => Promise<T>): Promise<T> => {
  const invocation: { crash: Crash | undefined } = { crash: undefined }
  const [settled] = await Promise.allSettled([current.run(invocation, run)])
  if (invocation.crash) throw invocation.crash
  if (settled.status === 'rejected') throw settled.reason
  return settled.value
}
