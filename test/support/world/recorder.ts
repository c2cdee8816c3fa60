import type { FunctionEffect, ObserveFunction } from '../../../infra/local/service/invocation.ts'

/** Keeps every effect of the functions; a test empties it when it wants to see only its own. */
export const makeRecorder = () => {
  const effects: FunctionEffect[] = []
  const observe: ObserveFunction = (effect, run) => {
    effects.push(effect)
    return run()
  }
  return { effects, observe }
}
