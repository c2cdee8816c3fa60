import { type Model, rulesOf } from './model.ts'
import type { State } from './state.ts'
import { added, type Step } from './step.ts'

/** A publish is in flight while it is claimed, or while an attempt of this very version is unsettled. */
const inFlight = (state: State) => state.lease !== 'free' || state.attempt?.version === state.version

/** The user cancels or reschedules, at any moment; each is accepted or refused by one condition. */
export const userSteps = (state: State, model: Model): Step[] => {
  const steps: Step[] = []
  const may = (name: string, next: State) => steps.push({ name, by: 'user', next })
  const waiting = state.status === 'scheduled' && !(model.parts.refuseInFlight && inFlight(state))
  const warning = inFlight(state) ? undefined : state.attempt
  if (waiting) may('cancel', { ...state, status: 'cancelled', version: state.version + 1, attempt: warning })
  if (state.version > 1 || !(waiting || state.status === 'failed' || state.status === 'unknown')) return steps
  const version = state.version + 1
  may(`reschedule ${state.status}`, {
    ...state,
    consented: state.status === 'unknown' && rulesOf(model).resend !== 'always' && !rulesOf(model).readable,
    status: 'scheduled',
    version,
    due: false,
    lease: 'free',
    deadClaims: 0,
    attempt: model.parts.keepAttempt ? state.attempt : undefined,
    prepare: added(state.prepare, version),
  })
  return steps
}
