import * as z from 'zod/mini'
import { failureReasons } from '../../events/payloads.ts'
import { timestamp } from '../../http/moment.ts'
import { pair } from '../../ids.ts'
import { platformIds } from '../../resources.ts'
import { type Post, postStatuses } from '../lifecycle/row.ts'

const described = (description: string) => ({ description })

const ThreadPlace = z
  .object({
    headPostId: z
      .string()
      .register(z.globalRegistry, described('The id of the post of tweet 1, which changes the thread.')),
    position: z.int().register(z.globalRegistry, described('The position of the tweet in the thread, from 1.')),
    totalTweets: z.int(),
  })
  .register(z.globalRegistry, { id: 'ThreadPlace' })

/** A post as the API shows it. */
export const PostView = z
  .object({
    id: z.string(),
    status: z.enum(postStatuses),
    content: z.string(),
    scheduledAt: z.nullable(timestamp()),
    plannedAt: timestamp('When the post goes out: `scheduledAt`, plus up to five minutes with `naturalPosting`.'),
    publishedPostUrl: z.nullable(z.string()),
    error: z.nullable(z.string()),
    reason: z
      .nullable(z.enum(failureReasons))
      .register(z.globalRegistry, described('Why it failed: the `reason` of its event `post.publish_failed`.')),
    retrySafe: z
      .nullable(z.boolean())
      .register(
        z.globalRegistry,
        described('Of a failed post. False: the post may be live. Check the platform before you post again.'),
      ),
    thread: z
      .nullable(ThreadPlace)
      .register(z.globalRegistry, described('Its position in a thread on X; null outside of threads.')),
    groupId: z.nullable(z.string()),
    socialAccountId: z.string(),
    mediaUrls: z.array(z.string()),
    platform: z.enum(platformIds),
    createdAt: timestamp(),
  })
  .register(z.globalRegistry, { id: 'Post' })
export type PostView = z.infer<typeof PostView>

export const viewPost = (post: Post, content: string): PostView => ({
  ...post,
  content,
  plannedAt: new Date(post.scheduledAtMs).toISOString(),
  reason: post.reason ?? null,
  retrySafe: post.retrySafe ?? null,
  thread: post.thread
    ? { headPostId: post.groupId + pair(0), position: post.thread.index + 1, totalTweets: post.thread.total }
    : null,
  mediaUrls: post.media.map((media) => media.id),
})
