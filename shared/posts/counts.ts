import type { Context } from '../context.ts'
import { type Counts, type Moves, moveCounts, readCounts } from '../db/counters.ts'
import type { Write } from '../db/table.ts'
import type { Post, PostStatus } from './lifecycle/row.ts'

/** The counters of a post with a status: all, by status, by account, by both. */
export const countNames = (post: Pick<Post, 'socialAccountId'>, status: PostStatus) => [
  'all',
  `s:${status}`,
  `a:${post.socialAccountId}`,
  countName(post.socialAccountId, status),
]

/** The name of the count of an account's posts with a status. */
const countName = (socialAccountId: string, status: PostStatus): string => `as:${socialAccountId}:${status}`

/** How many posts each account has, of those with a status; accounts that have none are left out. */
export const countsByAccount = (counts: Counts, status: PostStatus | undefined): Map<string, number> => {
  const ids = [...counts.names()].filter((name) => name.startsWith('a:')).map((name) => name.slice('a:'.length))
  const all = ids.map((id) => [id, counts(status === undefined ? `a:${id}` : countName(id, status))] as const)
  return new Map(all.filter(([, count]) => count > 0))
}

/** Adds up the count changes of several posts, so that a transaction writes one counter row. */
export const sumMoves = (
  changes: readonly { post: Pick<Post, 'socialAccountId'>; from?: PostStatus; to?: PostStatus }[],
): Moves => {
  const moves = new Map<string, number>()
  const move = (name: string, by: number) => moves.set(name, (moves.get(name) ?? 0) + by)
  for (const { post, from, to } of changes) {
    if (from) for (const name of countNames(post, from)) move(name, -1)
    if (to) for (const name of countNames(post, to)) move(name, 1)
  }
  // An increase and a decrease in one transaction cancel out.
  for (const [name, by] of moves) if (by === 0) moves.delete(name)
  return moves
}

/** The write that changes the post counts of a workspace. */
export const countPosts = (workspaceId: string, moves: Moves): Write[] => moveCounts(workspaceId, 'POST', moves)

/** How many posts of an account are scheduled. */
export const countScheduledPosts = async (
  ctx: Context,
  workspaceId: string,
  socialAccountId: string,
): Promise<number> => {
  const counts = await readCounts(ctx, workspaceId, 'POST')
  return Math.max(0, counts(countName(socialAccountId, 'scheduled')))
}
