import type { Model } from './model.ts'
import { accepted, type State } from './state.ts'
import { stepsFrom } from './steps.ts'

/** One story from acceptance on, as the names of its steps; a step that cannot happen there is an error. */
export const walk = (model: Model, names: readonly string[]): State => {
  let state = accepted
  for (const name of names) {
    const steps = stepsFrom(state, model)
    const step = steps.find((candidate) => candidate.name === name)
    if (step === undefined) throw new Error(`not '${name}' but ${steps.map((other) => other.name).join(', ')}`)
    state = step.next
  }
  return state
}
