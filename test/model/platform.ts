import { type Model, rulesOf } from './model.ts'
import type { State } from './state.ts'

/** The platform refuses the text of a post that is live. */
export const refusesRepeat = (state: State, model: Model): boolean =>
  state.posts.length > 0 &&
  (model.kind === 'duplicate-refusal' || (model.kind === 'short refusal' && state.repeats !== 'taken'))

/** The platform knows this ref already, so that another call with it makes no second post. */
const known = (state: State, ref: number, model: Model) =>
  refusesRepeat(state, model) || (rulesOf(model).refs !== 'none' && state.posts.includes(ref))

/** A call has its effect on the platform. */
export const landed = (state: State, ref: number, model: Model): State =>
  known(state, ref, model)
    ? state
    : { ...state, posts: [...state.posts, ref].sort(), readable: !rulesOf(model).readsLag, repeats: 'refused' }

/** A call was sent, and whether it will have an effect is not known yet. */
export const sentUnanswered = (state: State, ref: number, model: Model): State => {
  const repeats =
    known(state, ref, model) || (model.kind !== 'probe' && model.kind !== 'none' && state.inFlight.includes(ref))
  return repeats ? state : { ...state, inFlight: [...state.inFlight, ref].sort() }
}

/** What a probe for this ref reads now. */
export const seen = (state: State, ref: number, model: Model): boolean =>
  rulesOf(model).refs === 'none' ? state.readable && state.posts.length > 0 : state.posts.includes(ref)

/** Nothing is on its way any more and reads are current: the settle window is over. */
export const settled = (state: State): boolean => state.inFlight.length === 0 && state.readable
