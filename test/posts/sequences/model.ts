import type { PostStateKind } from '../../../shared/posts/lifecycle/state.ts'
import { postLifecycle, type TransitionName } from '../../../shared/posts/lifecycle/transitions.ts'
import type { Act, Answer } from './command.ts'

const { transitions } = postLifecycle

/** A post as the model sees it: its state, or that its record is gone. */
export type Kind = PostStateKind | 'deleted'

type Moves = Readonly<Partial<Record<Kind, readonly Kind[]>>>

const movesOf = (name: TransitionName): Moves => transitions[name].moves

/** Whether one write may lead from a state to another. */
export const isTransition = (from: Kind, to: Kind): boolean =>
  from === to ||
  Object.entries(transitions).some(
    ([name, { by }]) => by !== 'time' && movesOf(name as TransitionName)[from]?.includes(to),
  )

const inFlight: readonly Kind[] = ['publishing', 'unconfirmed', 'reconciling']

/** How a request of the author is answered, and in which states it may leave the post. */
export const answerTo = ({ is }: Act, from: Kind): { status: number; to: readonly Kind[] } => {
  if (from === 'deleted') return { status: 404, to: ['deleted'] }
  // A change of the text is the next version, too, but only while the post has a time to come.
  const hasTime = from !== 'failed' && from !== 'outcome-unknown'
  const to = is === 'update' ? (hasTime ? movesOf('reschedule')[from] : undefined) : movesOf(is)[from]
  if (to !== undefined) return { status: 200, to }
  return { status: inFlight.includes(from) ? 409 : 400, to: [from] }
}

/** A post as the publisher finds it. */
export interface ObservedState {
  kind: Kind
  isStale: boolean
  /** It waits before its next try, or for its time. */
  isEarly: boolean
  isTooLate: boolean
  /** The platform has it. */
  isLive: boolean
}

const ofAnswer: Readonly<Record<Answer, readonly Kind[]>> = {
  // A connection that the platform has closed loses the call or its answer.
  accepted: ['published', 'scheduled', 'unconfirmed'],
  rejected: ['failed'],
  unavailable: ['scheduled', 'unconfirmed', 'failed'],
  'rate limited': ['scheduled', 'failed'],
  'lost and live': ['unconfirmed'],
  'lost and absent': ['unconfirmed'],
  down: ['scheduled', 'unconfirmed', 'failed'],
}

/** Where one undisturbed run of the publisher leads. */
export const publishLeadsTo = (
  { kind, isStale, isEarly, isTooLate, isLive }: ObservedState,
  answer: Answer,
): readonly Kind[] => {
  if (isStale || isEarly) return [kind]
  if (kind === 'scheduled') return isTooLate ? ['failed'] : ofAnswer[answer]
  if (kind !== 'unconfirmed' && kind !== 'earlier-unconfirmed') return [kind]
  // What is live is found, or looked for again; it is never sent anew, and never a clean failure.
  return isLive ? ['published', kind, 'outcome-unknown'] : ['published', 'scheduled', 'failed', kind, 'outcome-unknown']
}

/** The statements that are allowed about a post by its state, given the number of its live posts. */
export const isHonest = (kind: Kind, live: number, warned: boolean): boolean => {
  if (live > 1) return false
  if (kind === 'published') return live === 1
  if (kind === 'cancelled') return live === 0 || warned
  return (kind !== 'failed' && kind !== 'scheduled' && kind !== 'awaiting-turn') || live === 0
}
