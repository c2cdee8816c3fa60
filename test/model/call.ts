import { type Model, rulesOf } from './model.ts'
import { landed, refusesRepeat, sentUnanswered } from './platform.ts'
import type { State, Worker } from './state.ts'
import { acknowledged, type Step, withResult, withWorker } from './step.ts'

/** At T the one call is sent, and the platform answers, refuses, or does not answer at all. */
export const callingSteps = (state: State, slot: number, worker: Worker, model: Model): Step[] => {
  const { parts } = model
  if (!state.due && state.version === worker.version && parts.waitForTime) return []
  const steps: Step[] = []
  const may = (name: string, next: State, by: Step['by'] = 'fault') => steps.push({ name: `call: ${name}`, by, next })
  const sent = marked(state, worker)
  const mayBeLive = worker.earlier !== undefined
  if (refusesRepeat(state, model))
    may('refused as duplicate', withResult(state, slot, worker, mayBeLive ? 'published' : 'failed'), 'service')
  else may('accepted', withResult(landed(sent, worker.ref, model), slot, worker, 'published'), 'service')
  may(
    'rejected',
    mayBeLive ? afterDoubtfulRejection(state, slot, worker, model) : withResult(state, slot, worker, 'failed'),
  )
  may('not sent', withResult(state, slot, worker, 'retry'))
  const timedOut = sentUnanswered(sent, worker.ref, model)
  const releases = worker.owns || !parts.fence
  may('no answer', acknowledged(releases ? { ...timedOut, lease: 'free' } : timedOut, slot, worker))
  return steps
}

/** The rejected call may have repeated one that landed: that is read first, never reported as a clean failure. */
const afterDoubtfulRejection = (state: State, slot: number, worker: Worker, model: Model): State =>
  rulesOf(model).readable
    ? withWorker(state, slot, { ...worker, phase: 'settling', ref: 0, earlier: undefined, ifAbsent: 'failed' })
    : withResult(state, slot, worker, 'unknown')

/** A call before T, of another version or with its artefact is on record for ever. */
const marked = (state: State, worker: Worker): State => {
  const sameVersion = worker.version === state.version
  return {
    ...state,
    sentStale: state.sentStale || !sameVersion || worker.artefact?.version !== state.version,
    sentEarly: state.sentEarly || (sameVersion && !state.due),
  }
}
