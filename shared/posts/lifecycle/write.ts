import type { Change, Condition } from '../../db/expression.ts'
import type { Write } from '../../db/table.ts'
import { indexKeys, type Post, type PostStatus, posts } from './row.ts'
import { type TransitionName, transitions } from './transitions.ts'

/** The change of a transition: what it sets and adds, and the attributes that the table clears. */
export const changeOf = (name: TransitionName, { set, setOnce, add, remove = [] }: Change): Change => ({
  ...(set ? { set } : {}),
  ...(setOnce ? { setOnce } : {}),
  ...(add ? { add } : {}),
  remove: [...transitions[name].clears, ...remove].filter((attribute) => set?.[attribute] === undefined),
})

/** The write of a transition that keeps the status. */
export const rowWrite = (name: TransitionName, post: Post, change: Change, when: Condition): Write => ({
  update: posts.key(post),
  change: changeOf(name, change),
  when,
})

/** The write of a transition to another status: the row, its index attributes, and its event. */
export const statusWrite = (
  name: TransitionName,
  { post, to, change, when, eventId }: { post: Post; to: PostStatus; change: Change; when: Condition; eventId: string },
): Write => {
  const set = { ...change.set, status: to, ...indexKeys(post, to), lastEventId: eventId }
  return rowWrite(name, post, { ...change, set, add: { sequence: 1, ...change.add } }, when)
}
