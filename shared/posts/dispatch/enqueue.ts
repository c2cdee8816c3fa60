import { maxDelaySeconds, type QueueMessage, send } from '../../aws/queue.ts'
import type { Context } from '../../context.ts'
import { definitionOf } from '../../platforms/definitions.ts'
import type { Post } from '../lifecycle/row.ts'
import { publishMessage, publishQueue } from '../lifecycle/work.ts'

/**
 * The publisher receives a post at least this long before its time, because its environment may start cold, and waits until
 * then: every second is billed. A queue delays by whole seconds, so it can be a second more. Files, and texts that a
 * platform accepts in two calls, need more time.
 */
const earlySeconds = { text: 1.5, prepared: 5 } as const

const earlySecondsOf = ({ platform, media, assets }: Post): number =>
  media.length > 0 || assets !== undefined || definitionOf(platform).preparesText === true
    ? earlySeconds.prepared
    : earlySeconds.text

const delayOf = (post: Post, now: number) => Math.floor((post.scheduledAtMs - now) / 1000 - earlySecondsOf(post))

/** Whether the publisher's message is in its queue, or was: the post is due, or almost. */
export const isPublishing = (post: Post, now: number): boolean => delayOf(post, now) <= 0

/** The message to the publisher, delayed until shortly before the post's time. */
export const delayedPublish = (post: Post, now: number): QueueMessage => ({
  body: publishMessage(post),
  group: post.workspaceId,
  delaySeconds: Math.max(0, delayOf(post, now)),
})

/** Whether a post is due soon enough to be enqueued: SQS delays a message by at most 15 minutes. */
export const canDelay = (post: Post, now: number): boolean =>
  (post.scheduledAtMs - now) / 1000 - earlySecondsOf(post) <= maxDelaySeconds

export const enqueuePublish = (ctx: Context, post: Post): Promise<void> =>
  send(ctx, publishQueue(post), delayedPublish(post, ctx.clock.now()))
