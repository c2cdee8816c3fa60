import type { Model } from './model.ts'
import { type Artefact, type Attempt, idle, type State, type Worker } from './state.ts'
import { acknowledged, added, freshRef, type Step, withWorker } from './step.ts'

/** The row still waits for this version. */
export const isCurrentVersion = (state: State, version: number, model: Model): boolean =>
  state.status === 'scheduled' && (!model.parts.versionCheck || state.version === version)

/** The artefact on the row that a publisher of this version may use. */
export const preparedFor = (state: State, version: number, model: Model) =>
  !model.parts.artefactOfVersion || state.prepared?.version === version ? state.prepared : undefined

/** An expired artefact gives way, unless an unsettled attempt may still need it. */
export const isReplaceable = (present: Artefact, state: State, { parts }: Model): boolean =>
  present.expired && (state.attempt === undefined || !parts.replaceOnlySettled)

/** The worker's own artefact, named when it is shown to others: a container has its own ref, media need none. */
const made = (state: State, version: number, model: Model): Attempt => ({
  version,
  ref: model.kind === 'two-phase' ? freshRef(state) : 0,
})

/** prepare-post takes a message: it sends the hold first, then makes the artefact. */
export const receivePrepareSteps = (state: State, slot: number, model: Model): Step[] =>
  state.prepare.map((version) => {
    const worker: Worker = { ...idle, queue: 'prepare', version }
    if (!isCurrentVersion(state, version, model))
      return { name: 'prepare: refused', by: 'service', next: acknowledged(state, slot, worker) }
    const delayed = { ...state, publish: added(state.publish, version) }
    return {
      name: 'prepare: hold sent',
      by: 'service',
      next: withWorker(delayed, slot, { ...worker, phase: 'storing' }),
    }
  })

/** A worker that made an artefact writes it to the row, or finds another there, or learned that it is invalid. */
export const storingSteps = (state: State, slot: number, worker: Worker, model: Model): Step[] => {
  const goOn = (after: State, artefact: Attempt | undefined) =>
    worker.queue === 'prepare'
      ? acknowledged(after, slot, worker)
      : withWorker(after, slot, { ...worker, phase: 'waiting', artefact })
  const step = (name: string, next: State): Step => ({ name, by: 'service', next })
  const { parts } = model
  const refused: Step = { name: 'preparation rejected', by: 'fault', next: rejected(state, slot, worker, model) }
  if (!isCurrentVersion(state, worker.version, model))
    return [refused, step('artefact not wanted', acknowledged(state, slot, worker))]
  const first = preparedFor(state, worker.version, model)
  if (first !== undefined && !isReplaceable(first, state, model) && parts.firstWriterWins)
    return [
      refused,
      step('artefact of the first writer stays', goOn(state, { version: first.version, ref: first.ref })),
    ]
  const artefact = made(state, worker.version, model)
  const name = first === undefined ? 'artefact stored' : 'artefact replaced'
  return [refused, step(name, goOn({ ...state, prepared: { ...artefact, expired: false } }, artefact))]
}

/** A rejected preparation fails the post, unless it is claimed or may already be live. */
const rejected = (state: State, slot: number, worker: Worker, model: Model): State => {
  const mayBeLive = state.lease !== 'free' || state.attempt !== undefined
  const fails = isCurrentVersion(state, worker.version, model) && !(mayBeLive && model.parts.guardedPrepareFailure)
  const after: State = fails ? { ...state, status: 'failed', lease: 'free', attempt: undefined } : state
  return acknowledged(after, slot, worker)
}
