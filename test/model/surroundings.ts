import type { Model } from './model.ts'
import { landed } from './platform.ts'
import { idle, type State } from './state.ts'
import { added, type Step, without, withWorker } from './step.ts'

/** Time passes, leases run out, the platform finishes what it was sent. */
export const timeSteps = (state: State, model: Model): Step[] => {
  const steps: Step[] = []
  const may = (name: string, next: State) => steps.push({ name, by: 'service', next })
  if (!state.due) may('T comes', { ...state, due: true })
  const running = model.parts.leaseOutlivesCall && state.workers.some((worker) => worker.owns)
  if (state.lease === 'held' && !running) may('lease ends', { ...state, lease: 'expired' })
  if (!state.readable) may('reads catch up', { ...state, readable: true })
  if (model.kind === 'short refusal' && state.attempt !== undefined) {
    const isCalling = state.workers.some(({ phase }) => phase === 'journaling' || phase === 'calling')
    if (state.repeats === 'refused') may('repeats are about to be taken', { ...state, repeats: 'still refused' })
    if (state.repeats === 'still refused' && !isCalling && state.inFlight.length === 0)
      may('repeats are taken', { ...state, repeats: 'taken' })
  }
  state.inFlight.forEach((ref, index) => {
    const inFlight = state.inFlight.toSpliced(index, 1)
    may('late request lands', landed({ ...state, inFlight }, ref, model))
    may('late request is dropped', { ...state, inFlight })
  })
  return steps
}

/** The sweeper sends again what is overdue, whatever became of the message (rule 4). */
export const sweeperSteps = (state: State, model: Model): Step[] => {
  if (!model.parts.sweeper || state.status !== 'scheduled') return []
  const { version, prepare, publish } = state
  const steps: Step[] = []
  const may = (name: string, next: State) => steps.push({ name, by: 'service', next })
  if (!state.due && state.prepared?.version !== version && !prepare.includes(version))
    may('sweeper sends to prepare', { ...state, prepare: added(prepare, version) })
  if (state.due && state.lease !== 'held' && !publish.includes(version))
    may('sweeper sends to publish', { ...state, publish: added(publish, version) })
  return steps
}

/** Any schedule, message, artefact and worker may be lost at any point, any number of times. */
export const faultSteps = (state: State, model: Model): Step[] => {
  const steps: Step[] = []
  const may = (name: string, next: State) => steps.push({ name, by: 'fault', next })
  for (const version of state.prepare)
    may('schedule or message to prepare is lost', { ...state, prepare: without(state.prepare, version) })
  for (const version of state.publish)
    may('message to publish is lost', { ...state, publish: without(state.publish, version) })
  if (state.prepared?.expired === false && model.kind === 'two-phase')
    may('artefact expires', { ...state, prepared: { ...state.prepared, expired: true } })
  state.workers.forEach((worker, slot) => {
    if (worker.phase !== 'idle') may(`crash while ${worker.phase}`, withWorker(state, slot, idle))
  })
  return steps
}
