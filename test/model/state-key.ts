import type { Parts } from './parts.ts'
import type { Attempt, State, Worker } from './state.ts'

/**
 * Two states with one key have the same future: the order of the workers and the names of the refs do not matter,
 * nor do messages and artefacts that every worker will refuse.
 */
export const keyOf = (state: State, parts: Parts): string => {
  const { status, version, workers } = state
  const nameOf = namesInOrder()
  const attemptKey = (attempt: Attempt | undefined) =>
    attempt === undefined ? '-' : `${attempt.version}.${nameOf(attempt.ref)}`
  const workerKey = (worker: Worker, work: string) =>
    worker.phase === 'idle'
      ? '-'
      : `${work}/${attemptKey(worker.artefact)}/${nameOf(worker.ref)}/${attemptKey(worker.earlier)}`
  const isOpen = (requestedVersion: number | undefined) => status === 'scheduled' && requestedVersion === version
  const matters = (message: number) => !parts.versionCheck || isOpen(message)
  const anyArtefact = !parts.versionCheck || !parts.artefactOfVersion
  const prepared = anyArtefact || isOpen(state.prepared?.version) ? state.prepared : undefined
  const queues = `${state.prepare.filter(matters)}/${state.publish.filter(matters)}`
  const crashedAttempts = status === 'scheduled' ? state.crashedAttempts : 0
  const row = `${status}${version}${state.lease}${crashedAttempts}${state.publishedEvents}`
  const refs = `${attemptKey(state.attempt)}/${attemptKey(prepared)}${prepared?.expired ? 'x' : ''}`
  const platform = `${state.inFlight.map(nameOf)}/${state.posts.map(nameOf)}/${state.repeats}`
  const works = workers.map((worker) => ({ worker, work: workOf(worker) }))
  works.sort((left, right) => (left.work < right.work ? -1 : 1))
  return `${row}/${flagsOf(state)}/${queues}/${refs}/${platform}/${works.map(({ worker, work }) => workerKey(worker, work))}`
}

const flagsOf = ({ due, readable, consented, sentStale, sentEarly }: State): number =>
  [due, readable, consented, sentStale, sentEarly].reduce((bits, flag) => bits * 2 + (flag ? 1 : 0), 0)

const workOf = ({ phase, queue, version, owns, ifAbsent, result }: Worker) =>
  phase === 'idle' ? '' : `${phase}${queue}${version}${owns ? 1 : 0}${ifAbsent}${result}`

/** Names refs by the order in which they are met; 0 is no ref. */
const namesInOrder = () => {
  const met = [0]
  return (ref: number): number => {
    const name = met.indexOf(ref)
    return name >= 0 ? name : met.push(ref) - 1
  }
}
