import type { PostEventData, PostEventType } from '../events/catalog.ts'
import type { NewEvent } from '../events/event.ts'
import { codePoints } from '../text/counting.ts'
import { cutText } from '../text/cut.ts'
import type { Post } from './lifecycle/row.ts'

const contentLength = 1000
const errorLength = 500

/**
 * An event about a post in its current state, which still names the event before it; long text is cut (events stay below
 * 8 KB).
 */
export const postEvent = <T extends PostEventType>(
  type: T,
  post: Post,
  content: string,
  more: PostEventData<T>,
): NewEvent => {
  const excerpt = cutText(content, contentLength, codePoints)
  const data = {
    postId: post.id,
    groupId: post.groupId,
    ...(post.externalId === undefined ? {} : { externalId: post.externalId }),
    socialAccountId: post.socialAccountId,
    platform: post.platform,
    status: post.status,
    content: excerpt,
    contentTruncated: excerpt.length < content.length,
    scheduledAt: post.scheduledAt,
    publishedPostUrl: post.publishedPostUrl,
    error: post.error === null ? null : cutText(post.error, errorLength, codePoints),
    ...more,
  }
  return { type, sequence: post.sequence, previousEventId: post.lastEventId, data }
}
