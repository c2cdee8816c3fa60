import type { Event } from '../../events/event.ts'
import type { FailureReason, ThreadFacts } from '../../events/payloads.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import { postEvent } from '../event.ts'
import type { Post } from '../lifecycle/row.ts'

/** The end of a publication as the user will see it. */
export type Ending =
  | { to: 'published'; url: string | null; platformId: string | null }
  | { to: 'failed'; error: string; reason: FailureReason; retrySafe: boolean; keepAttempt?: boolean }

const lateAfterMs = 60_000

/** A tweet that fails says how much of its thread is live. */
export const told = (post: Pick<Post, 'thread'>, ending: Ending): Ending => {
  if (ending.to === 'published' || post.thread === undefined || post.thread.index === 0) return ending
  const { index, total } = post.thread
  return { ...ending, error: `${index} of ${total} tweets are live. ${ending.error}` }
}

/** The event that tells of an ending. */
export const endingEvent = (
  workspace: Workspace,
  post: Post,
  text: string,
  ending: Ending,
  now: number,
  more: ThreadFacts = {},
): Event => {
  const lateMs = now - post.scheduledAtMs
  const late = lateMs > lateAfterMs ? { lateBySeconds: Math.floor(lateMs / 1000) } : {}
  const after = { ...post, status: ending.to, sequence: post.sequence + 1 }
  if (ending.to === 'published') {
    const published = { ...after, publishedPostUrl: ending.url, error: null }
    const facts = { publishedAt: new Date(now).toISOString(), platformPostId: ending.platformId, ...late }
    return postEvent('post.published', workspace, published, text, now, facts)
  }
  const { error, reason, retrySafe } = ending
  const facts = { reason, retrySafe, ...late, ...more }
  return postEvent('post.publish_failed', workspace, { ...after, error }, text, now, facts)
}
