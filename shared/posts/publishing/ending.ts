import type { Event } from '../../events/event.ts'
import type { ThreadFacts } from '../../events/payloads.ts'
import { postEvent } from '../event.ts'
import { type Ending, statusOf } from '../lifecycle/finish.ts'
import type { Post } from '../lifecycle/row.ts'
import type { Endable } from './publication.ts'

const lateAfterMs = 60_000

/** Adds to the error of a failed tweet how much of its thread is live. */
export const withThreadProgress = (post: Pick<Post, 'thread'>, ending: Ending): Ending => {
  if (ending.by === 'publish' || post.thread === undefined || post.thread.index === 0) return ending
  const { index, total } = post.thread
  return { ...ending, error: `${index} of ${total} tweets are live. ${ending.error}` }
}

/** The event of an ending. */
export const endingEvent = (
  id: string,
  { workspace, post, text }: Endable,
  ending: Ending,
  now: number,
  more: ThreadFacts = {},
): Event => {
  const lateMs = now - post.scheduledAtMs
  const late = lateMs > lateAfterMs ? { lateBySeconds: Math.floor(lateMs / 1000) } : {}
  const after = { ...post, status: statusOf(ending), sequence: post.sequence + 1 }
  if (ending.by === 'publish') {
    const published = { ...after, publishedPostUrl: ending.url, error: null }
    const facts = { publishedAt: new Date(now).toISOString(), platformPostId: ending.platformId, ...late }
    return postEvent(id, 'post.published', workspace, published, text, now, facts)
  }
  const { error, reason, retrySafe } = ending
  const facts = { reason, retrySafe, ...late, ...more }
  return postEvent(id, 'post.publish_failed', workspace, { ...after, error }, text, now, facts)
}
