import { maxDelaySeconds, type QueueMessage, send } from '../../aws/queue.ts'
import type { Context } from '../../context.ts'
import type { QueueName } from '../../resources.ts'
import type { Post } from '../lifecycle/row.ts'
import type { PublishMessage } from './messages.ts'

/** The publisher receives a post this long before its time, to prepare it. */
const earlySeconds = 5

export const publishQueue = (post: Pick<Post, 'platform'>): QueueName => `publish-${post.platform}`

export const publishMessage = (post: Post): PublishMessage => ({
  workspaceId: post.workspaceId,
  postId: post.id,
  socialAccountId: post.socialAccountId,
  platform: post.platform,
  version: post.version,
})

/** The message to the publisher, delayed until shortly before the post's time. */
export const delayedPublish = (post: Post, now: number): QueueMessage => ({
  body: publishMessage(post),
  group: post.workspaceId,
  delaySeconds: Math.max(0, Math.floor((post.scheduledAtMs - now) / 1000) - earlySeconds),
})

/** Whether a post is due soon enough to be enqueued: SQS delays a message by at most 15 minutes. */
export const canDelay = (post: Post, now: number): boolean =>
  (post.scheduledAtMs - now) / 1000 - earlySeconds <= maxDelaySeconds

export const enqueuePublish = (ctx: Context, post: Post): Promise<void> =>
  send(ctx, publishQueue(post), delayedPublish(post, ctx.clock.now()))
