import { type Change, type Condition, equal } from '../../../shared/db/expression.ts'
import type { Item } from '../../../shared/db/table.ts'
import { isInStatusIndex, postStatuses, posts } from '../../../shared/posts/lifecycle/row.ts'

/** A change of stored rows that a release makes once it runs everywhere. */
export interface Migration {
  /** It names the row with the progress, so it never changes. */
  name: string
  /** The change of a row, which holds only while the row is unchanged since it was read; undefined if the row needs none. */
  changeOf(item: Item): { change: Change; when: Condition } | undefined
}

/** In execution order. A migration is removed when no stage can have earlier rows anymore. */
export const migrations: readonly Migration[] = [
  {
    // Until 0.1.0, posts with any status were in the index of statuses.
    name: 'posts-out-of-status-index',
    changeOf({ type, status, statusKey }) {
      const known = postStatuses.find((name) => name === status)
      if (type !== posts.type || statusKey === undefined || known === undefined || isInStatusIndex(known))
        return undefined
      return { change: { remove: ['statusKey'] }, when: equal('status', status) }
    },
  },
]
