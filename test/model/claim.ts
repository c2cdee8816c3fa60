import { mayHappen } from './kind.ts'
import { type Model, rulesOf } from './model.ts'
import { isCurrentVersion, isReplaceable, preparedFor } from './prepare.ts'
import { idle, type State, type Worker } from './state.ts'
import { acknowledged, freshRef, type Step, withResult, withWorker } from './step.ts'

/** publish-post takes a message, reads the row, and prepares inline what is missing or expired. */
export const receivePublishSteps = (state: State, slot: number, model: Model): Step[] =>
  state.publish.map((version) => {
    const step = (name: string, next: State): Step => ({ name, by: 'service', next })
    const worker: Worker = { ...idle, version }
    if (!isCurrentVersion(state, version, model))
      return step('publish: stale message', acknowledged(state, slot, worker))
    const prepared = preparedFor(state, version, model)
    if (prepared === undefined || isReplaceable(prepared, state, model))
      return step('prepares inline', withWorker(state, slot, { ...worker, phase: 'storing' }))
    const artefact = { version: prepared.version, ref: prepared.ref }
    return step('waits unclaimed', withWorker(state, slot, { ...worker, phase: 'waiting', artefact }))
  })

/** At T−200 ms it claims: one conditional write that also journals the attempt, if no older one is unsettled. */
export const waitingSteps = (state: State, slot: number, worker: Worker, model: Model): Step[] => {
  const { parts } = model
  const step = (name: string, next: State): Step[] => [{ name, by: 'service', next }]
  if (!state.due && state.version === worker.version && parts.waitForTime) return []
  const free = mayHappen('claim', state) || mayHappen('claimToReconcile', state) || !parts.leaseCheck
  if (!isCurrentVersion(state, worker.version, model))
    return step(
      `claim refused: ${state.status === 'scheduled' ? 'other version' : state.status}`,
      acknowledged(state, slot, worker),
    )
  if (!free) return step('claim refused: leased', acknowledged(state, slot, worker))
  const crashedAttempts = Math.min(model.crashedAttempts, state.crashedAttempts + (state.lease === 'expired' ? 1 : 0))
  const workers = state.workers.map((other) => ({ ...other, owns: false }))
  const claimed: State = { ...state, lease: 'held', crashedAttempts, workers }
  const mine: Worker = { ...worker, owns: true }
  if (crashedAttempts === model.crashedAttempts)
    return step(
      state.attempt === undefined ? 'claims used up: internal error' : 'claims used up: settle',
      giveUp(claimed, slot, mine, model),
    )
  if (state.attempt !== undefined)
    return step('claim to settle', withWorker(claimed, slot, { ...mine, phase: 'settling' }))
  if (!parts.mergedClaim) return step('claim', withWorker(claimed, slot, { ...mine, phase: 'journaling' }))
  return step('claim and journal', journaled(claimed, slot, mine, model))
}

/** No claim is left: what was journaled is settled without sending, what was not is our own error. */
const giveUp = (state: State, slot: number, worker: Worker, { parts }: Model): State => {
  const unsettled = state.attempt !== undefined && parts.settleDeadClaims
  return unsettled
    ? withWorker(state, slot, { ...worker, phase: 'settling', ifAbsent: 'unknown' })
    : withResult(state, slot, worker, 'failed')
}

/** The attempt is on the row before the call: with the post's one client key, or the artefact it will publish. */
const journaled = (state: State, slot: number, worker: Worker, model: Model): State => {
  const { parts } = model
  const clientKey = parts.oldKey ? 1 : freshRef(state)
  const refs = { 'client key': clientKey, artefact: worker.artefact?.ref ?? 0, none: 0 }
  const ref = refs[rulesOf(model).refs]
  const attempt = parts.journal ? { version: state.version, ref } : undefined
  return withWorker({ ...state, attempt }, slot, { ...worker, phase: 'calling', ref })
}

/** The journal as a separate write: after settling, or where it is not merged with the claim. */
export const journalingSteps = (state: State, slot: number, worker: Worker, model: Model): Step[] =>
  worker.owns || !model.parts.fence
    ? [{ name: 'journal', by: 'service', next: journaled(state, slot, worker, model) }]
    : [{ name: 'journal refused', by: 'service', next: acknowledged(state, slot, worker) }]
