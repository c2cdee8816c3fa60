import { mayHappen } from './kind.ts'
import { type Model, rulesOf } from './model.ts'
import type { State } from './state.ts'
import { added, type Step } from './step.ts'

/** The user cancels or reschedules, at any moment; each is accepted or refused by one condition. */
export const userSteps = (state: State, model: Model): Step[] => {
  const steps: Step[] = []
  const may = (name: string, next: State) => steps.push({ name, by: 'user', next })
  const isUnchecked = state.status === 'scheduled' && !model.parts.refuseInFlight
  const isAllowed = (name: 'cancel' | 'reschedule') => mayHappen(name, state) || isUnchecked
  const warning = mayHappen('cancel', state) ? state.attempt : undefined
  if (isAllowed('cancel'))
    may('cancel', { ...state, status: 'cancelled', version: state.version + 1, attempt: warning })
  if (state.version > 1 || !isAllowed('reschedule')) return steps
  const version = state.version + 1
  may(`reschedule ${state.status}`, {
    ...state,
    consented: state.status === 'unknown' && rulesOf(model).resend !== 'always' && !rulesOf(model).readable,
    status: 'scheduled',
    version,
    due: false,
    lease: 'free',
    crashedAttempts: 0,
    attempt: model.parts.keepAttempt ? state.attempt : undefined,
    prepare: added(state.prepare, version),
  })
  return steps
}
