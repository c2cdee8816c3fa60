import type { Moves } from '../../db/counters.ts'
import type { Change, Condition } from '../../db/expression.ts'
import { equal } from '../../db/expression.ts'
import type { Write } from '../../db/table.ts'
import { sumMoves } from '../counts.ts'
import { indexKeys, type Post, type PostStatus, posts } from './row.ts'

/** The writes that move a post from one status to another: the row by condition, its indexes, the counts. */
export const moveStatus = (
  post: Post,
  to: PostStatus,
  change: Change,
  when: Condition,
): { row: Write; moves: Moves } => ({
  row: {
    update: posts.key(post),
    change: {
      ...change,
      set: { ...change.set, status: to, ...indexKeys(post, to) },
      add: { sequence: 1, ...change.add },
    },
    when,
  },
  moves: to === post.status ? new Map() : sumMoves([{ post, from: post.status, to }]),
})

/** The row is as it was read: same status, same version. */
export const unchanged = (post: Post): Condition => ({
  is: 'allOf',
  of: [equal('status', post.status), equal('version', post.version)],
})
