import type { PostStateKind } from '../../shared/posts/lifecycle/state.ts'
import { postLifecycle, type TransitionName } from '../../shared/posts/lifecycle/transitions.ts'
import type { State } from './state.ts'

/** The state of a post as the service itself calls it. */
export const kindOf = ({ status, lease, attempt, version }: State): PostStateKind => {
  if (status === 'unknown') return 'outcome-unknown'
  if (status !== 'scheduled') return status
  // The model derives from its workers whether a claim is for publishing or for reconciling.
  if (lease === 'held') return 'publishing'
  if (attempt === undefined) return 'scheduled'
  return attempt.version === version ? 'unconfirmed' : 'earlier-unconfirmed'
}

/** Whether the service lets a transition follow here. */
export const mayHappen = (name: TransitionName, state: State): boolean => postLifecycle.mayFollow(name, kindOf(state))

const claimed = (kind: string): string => (kind === 'reconciling' ? 'publishing' : kind)

/** The transitions that lead from a state to another. */
export const transitionsBetween = (from: PostStateKind, to: PostStateKind): string[] =>
  Object.entries(postLifecycle.transitions).flatMap(([name, { moves }]) => {
    const ends: [string, readonly string[]][] = Object.entries(moves)
    const leads = ends.some(([start, all]) => claimed(start) === from && all.some((end) => claimed(end) === to))
    return leads ? [name] : []
  })
