import { type Moves, moveCounts } from '../db/counters.ts'
import type { Change, Condition } from '../db/expression.ts'
import { equal } from '../db/expression.ts'
import type { Write } from '../db/table.ts'
import { type Event, makeEvent } from '../events/event.ts'
import type { Facts, PostEventType } from '../events/payloads.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import { indexKeys, type Post, type PostStatus, posts } from './post.ts'

/** Names of the counts a post in a status belongs to: all, by status, by account, by both. */
export const countNames = (post: Pick<Post, 'socialAccountId'>, status: PostStatus) => [
  'all',
  `s:${status}`,
  `a:${post.socialAccountId}`,
  countName(post.socialAccountId, status),
]

/** Name of the count of an account's posts in a status. */
export const countName = (socialAccountId: string, status: PostStatus): string => `as:${socialAccountId}:${status}`

/** Adds up what several posts move, so that a transaction touches one counter row. */
export const sumMoves = (
  changes: readonly { post: Pick<Post, 'socialAccountId'>; from?: PostStatus; to?: PostStatus }[],
): Moves => {
  const moves = new Map<string, number>()
  const move = (name: string, by: number) => moves.set(name, (moves.get(name) ?? 0) + by)
  for (const { post, from, to } of changes) {
    if (from) for (const name of countNames(post, from)) move(name, -1)
    if (to) for (const name of countNames(post, to)) move(name, 1)
  }
  // What comes and goes in one transaction moves nothing.
  for (const [name, by] of moves) if (by === 0) moves.delete(name)
  return moves
}

const contentLength = 1000
const errorLength = 500

/** The beginning of a text; no letter is cut in two. */
const beginningOf = (text: string, length: number): string => [...text].slice(0, length).join('')

/** An event about a post as it is now; long text is cut (events stay under 8 KB). */
export const postEvent = <T extends PostEventType>(
  type: T,
  workspace: Pick<Workspace, 'id' | 'name' | 'slug'>,
  post: Post,
  content: string,
  nowMs: number,
  more: Facts<T>,
): Event => {
  const excerpt = beginningOf(content, contentLength)
  return makeEvent(type, workspace, nowMs, post.id, post.sequence, {
    postId: post.id,
    groupId: post.groupId,
    socialAccountId: post.socialAccountId,
    platform: post.platform,
    status: post.status,
    content: excerpt,
    contentTruncated: excerpt.length < content.length,
    scheduledAt: post.scheduledAt,
    publishedPostUrl: post.publishedPostUrl,
    error: post.error === null ? null : beginningOf(post.error, errorLength),
    ...more,
  })
}

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

/** The counter write of a workspace's posts. */
export const countPosts = (workspaceId: string, moves: Moves): Write[] => moveCounts(workspaceId, 'POST', moves)

/** The row is as it was read: same status, same version. */
export const unchanged = (post: Post): Condition => ({
  is: 'all',
  of: [equal('status', post.status), equal('version', post.version)],
})
