import { notSwept } from '../../db/sweep-at.ts'
import type { Write } from '../../db/table.ts'
import { changeable } from './condition.ts'
import { noAttempts, type Post, reconciliationPath } from './row.ts'
import { awaitsTurn } from './state.ts'
import { statusWrite } from './write.ts'

/** What a new version of a post may be made of; what is undefined is removed from the row. */
export type NewVersion = Pick<
  Post,
  'content' | 'bodyId' | 'metadata' | 'media' | 'assets' | 'scheduledAt' | 'scheduledAtMs' | 'capMonth' | 'version'
>

/** The post at its new time, as its next version. An unconfirmed attempt is looked for anew (pipeline rule 3). */
export const reschedule = (post: Post, next: NewVersion, sweep: object, nowMs: number): Write => {
  const gone = Object.entries(next).flatMap(([name, value]) => (value === undefined ? [name] : []))
  const waits = awaitsTurn(post)
  return statusWrite('reschedule', {
    post,
    to: 'scheduled',
    change: {
      set: { ...next, ...noAttempts, error: null, ...(waits ? {} : sweep) },
      remove: [...gone, ...(waits ? notSwept : []), ...(post.attempt === undefined ? [] : [reconciliationPath])],
    },
    when: changeable(post, nowMs),
  })
}
