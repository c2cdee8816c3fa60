import type { State } from './state.ts'

/** What no state of the pipeline may ever show; each name is what a user would complain of. */
const invariants = {
  'published before its time': (state: State) => state.sentEarly,
  'published by a stale schedule': (state: State) => state.sentStale,
  'two posts without consent': (state: State) => state.posts.length > (state.consented ? 2 : 1),
  'cancelled without a warning, yet live': (state: State) =>
    state.status === 'cancelled' && state.attempt === undefined && state.posts.length > 0,
  'published, yet not live': (state: State) => state.status === 'published' && state.posts.length === 0,
  'definitely failed, yet live': (state: State) => state.status === 'failed' && state.posts.length > 0,
  'published, event lost': (state: State) =>
    state.status === 'published' &&
    state.publishedEvents === 0 &&
    !state.workers.some(({ phase }) => phase === 'emitting'),
  'published event twice': (state: State) => state.publishedEvents > 1,
} as const satisfies Record<string, (state: State) => boolean>

export type Violation = keyof typeof invariants

/** The names of the invariants that this state breaks. */
export const violationsIn = (state: State): Violation[] => {
  const violations: Violation[] = []
  let name: Violation
  for (name in invariants) if (invariants[name](state)) violations.push(name)
  return violations
}
