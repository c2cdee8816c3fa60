import type { Change, Condition } from '../../db/expression.ts'
import type { Write } from '../../db/table.ts'
import { indexKeys, type Post } from './row.ts'
import { postLifecycle, type TransitionName } from './transitions.ts'

/** The write of a transition that the author sees: the row, its index attributes, and its event. */
export const statusWrite = (
  name: Exclude<TransitionName, 'delete'>,
  { post, change, when, eventId }: { post: Post; change: Change; when: Condition; eventId: string },
): Write => {
  const set = { ...change.set, ...indexKeys(post, postLifecycle.to(name)), lastEventId: eventId }
  return postLifecycle.write(name, post, { ...change, set, add: { sequence: 1, ...change.add } }, when)
}
