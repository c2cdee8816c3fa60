import type { Model } from './model.ts'
import type { State, Worker } from './state.ts'
import { acknowledged, type Step, withWorker } from './step.ts'

/** The outcome is written in one transaction, by the holder of the lease, while the post is still scheduled. */
export const committingSteps = (state: State, slot: number, worker: Worker, model: Model): Step[] => {
  const step = (name: string, next: State): Step[] => [{ name, by: 'service', next }]
  const { result } = worker
  if (result === undefined || state.status !== 'scheduled' || !(worker.owns || !model.parts.fence))
    return step('commit refused', acknowledged(state, slot, worker))
  if (result === 'retry')
    return step('commit retry', acknowledged({ ...state, lease: 'free', attempt: worker.earlier }, slot, worker))
  const attempt = result === 'unknown' ? state.attempt : undefined
  const committed: State = { ...state, status: result, lease: 'free', attempt }
  if (result !== 'published') return step(`commit ${result}`, acknowledged(committed, slot, worker))
  if (!model.parts.outbox)
    return step('commit published', withWorker(committed, slot, { ...worker, phase: 'emitting', owns: false }))
  return step('commit published', acknowledged(withEvent(committed), slot, worker))
}

/** Only without the outbox: the event is sent after the transaction. */
export const emittingSteps = (state: State, slot: number, worker: Worker): Step[] => [
  { name: 'emit', by: 'service', next: acknowledged(withEvent(state), slot, worker) },
]

const withEvent = (state: State): State => ({ ...state, publishedEvents: state.publishedEvents + 1 })
