import { type Model, rulesOf } from './model.ts'
import { seen, settled } from './platform.ts'
import type { Attempt, State, Worker } from './state.ts'
import { acknowledged, type Step, withResult, withWorker } from './step.ts'

/** Sending again is safe, or the user has consented to it. */
const mayResend = (state: State, worker: Worker, attempt: Attempt, model: Model): boolean =>
  ({
    always: true,
    'same artefact': worker.artefact?.ref === attempt.ref,
    'while refused': attempt.version < worker.version || state.repeats === 'refused' || !model.parts.repeatWindow,
    consent: attempt.version < worker.version,
    never: false,
  })[rulesOf(model).resend]

/** An unsettled attempt is settled before anything else is sent (rule 3). */
export const settlingSteps = (state: State, slot: number, worker: Worker, model: Model): Step[] => {
  const steps: Step[] = []
  const may = (name: string, next: State) => steps.push({ name: `settle: ${name}`, by: 'service', next })
  const { attempt } = state
  if (attempt === undefined) {
    may('lost the row', acknowledged(state, slot, worker))
    return steps
  }
  const settledAs = (result: NonNullable<Worker['result']>) => withResult(state, slot, worker, result)
  const resends = worker.ifAbsent === 'send' && mayResend(state, worker, attempt, model)
  if (!rulesOf(model).readable && !resends) may('nothing can be proven', settledAs('unknown'))
  else steps.push({ name: 'settle: given up after 6 h', by: 'fault', next: settledAs('unknown') })
  if (resends) may('send again', withWorker(state, slot, { ...worker, phase: 'journaling', earlier: attempt }))
  if (!rulesOf(model).readable) return steps
  const ref = model.parts.oldKey ? attempt.ref : (worker.artefact?.ref ?? 0)
  if (seen(state, ref, model)) may('landed', settledAs('published'))
  else if (settled(state) || !model.parts.settleWindow)
    may(
      'absent',
      worker.ifAbsent === 'send'
        ? withWorker(state, slot, { ...worker, phase: 'journaling', earlier: undefined })
        : settledAs(worker.ifAbsent),
    )
  return steps
}
