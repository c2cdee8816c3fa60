import { idle, type State, type Worker } from './state.ts'

/** One thing that may happen next; to come to an end a post may rely on the service's own steps alone. */
export interface Step {
  readonly name: string
  readonly by: 'service' | 'user' | 'fault'
  readonly next: State
}

export const added = (numbers: readonly number[], more: number) =>
  numbers.includes(more) ? numbers : [...numbers, more].sort()

export const without = (numbers: readonly number[], gone: number) => numbers.filter((number) => number !== gone)

export const withWorker = (state: State, slot: number, worker: Worker): State => ({
  ...state,
  workers: state.workers.with(slot, worker),
})

/** The worker is through with its message: it acknowledges it, whatever came of it. */
export const acknowledged = (state: State, slot: number, worker: Worker): State => ({
  ...withWorker(state, slot, idle),
  [worker.queue]: without(state[worker.queue], worker.version),
})

/** The worker knows the outcome; of its state, only the attempt to fall back to still matters. */
export const withResult = (state: State, slot: number, worker: Worker, result: NonNullable<Worker['result']>): State =>
  withWorker(state, slot, {
    ...idle,
    phase: 'committing',
    version: worker.version,
    owns: worker.owns,
    earlier: result === 'retry' ? worker.earlier : undefined,
    result,
  })

/** A ref that nothing in the world carries yet. */
export const freshRef = (state: State): number => {
  const workers = state.workers.flatMap(({ artefact, ref, earlier }) => [artefact?.ref, ref, earlier?.ref])
  const used = new Set([...state.posts, ...state.inFlight, state.attempt?.ref, state.prepared?.ref, ...workers])
  let ref = 1
  while (used.has(ref)) ref++
  return ref
}
