import * as z from 'zod/mini'
import { timestamp } from '../http/moment.ts'
import { platformIds } from '../resources.ts'
import type { EventType } from './types.ts'

/** Why a post was not published, as codes for programs; `error` is the sentence for people. */
export const failureReasons = [
  'rejected',
  'blocked',
  'duplicate_content',
  'rate_limited',
  'quota_reached',
  'platform_unavailable',
  'permission_missing',
  'account_disconnected',
  'account_removed',
  'thread_broken',
  'too_late',
  'outcome_unknown',
] as const
export type FailureReason = (typeof failureReasons)[number]

const reasonsDescribed =
  '`rejected`: the platform does not accept the content. `blocked`: the platform refuses this post, or posts of this ' +
  'account for a while, although the account stays connected. `permission_missing`, `account_disconnected`: connect the account again.'

/** Why a connection was lost, as codes for programs; `error` is the sentence for people. */
export const lossReasons = ['credentials_refused', 'permission_missing'] as const

const text = () => z.string()
const described = (description: string) => ({ description })

/** The fields of every event: its order, and whether it is a test. */
const order = {
  sequence: z
    .int()
    .check(z.gte(1))
    .register(
      z.globalRegistry,
      described(
        'Increases with the events of this post or account. Ignore an event with a lower number than one you have processed.',
      ),
    ),
  previousEventId: z
    .nullable(text())
    .register(z.globalRegistry, described('The id of the previous event of the same post or account.')),
  test: z.optional(z.literal(true)).register(z.globalRegistry, described('Present only in a test of an endpoint.')),
}

const post = {
  postId: text(),
  groupId: text().register(z.globalRegistry, described('Shared by the posts of one request.')),
  socialAccountId: text(),
  platform: z.enum(platformIds),
  content: text().register(z.globalRegistry, described('The text, cut after 1,000 characters.')),
  contentTruncated: z.boolean(),
  scheduledAt: timestamp(),
  publishedPostUrl: z.nullable(text()),
  error: z.nullable(text()),
}

const late = {
  lateBySeconds: z
    .optional(z.int())
    .register(z.globalRegistry, described('Present if the post was more than a minute late.')),
}

const thread = {
  totalTweets: z.optional(z.int()),
  publishedCount: z.optional(z.int()),
  tweetIds: z
    .optional(z.array(z.nullable(text())))
    .register(z.globalRegistry, described('The ids of the tweets that are live.')),
}

/** The `data` of each event type, at the current `apiVersion`. */
export const payloads = {
  'post.scheduled': z.object({ ...post, status: z.literal('scheduled'), ...order }),
  'post.rescheduled': z.object({ ...post, status: z.literal('scheduled'), ...order }),
  'post.cancelled': z.object({ ...post, status: z.literal('cancelled'), ...order }),
  'post.published': z.object({
    ...post,
    status: z.literal('published'),
    publishedAt: timestamp(),
    platformPostId: z.nullable(text()),
    ...late,
    ...order,
  }),
  'post.publish_failed': z.object({
    ...post,
    status: z.literal('failed'),
    reason: z.enum(failureReasons).register(z.globalRegistry, described(reasonsDescribed)),
    retrySafe: z
      .boolean()
      .register(z.globalRegistry, described('False: the post may be live. Check the platform before you post again.')),
    ...late,
    ...thread,
    ...order,
  }),
  'social_account.reconnect_required': z.object({
    socialAccountId: text(),
    platform: z.enum(platformIds),
    username: z.nullable(text()),
    reason: z.enum(lossReasons),
    error: text(),
    ...order,
  }),
} satisfies Record<EventType, z.ZodMiniObject>

type Payloads = { [T in EventType]: z.infer<(typeof payloads)[T]> }

export type PostEventType = Exclude<EventType, 'social_account.reconnect_required'>

/** The fields of an event type beyond those of every post event. */
export type Facts<T extends PostEventType> = Omit<Payloads[T], keyof typeof post | keyof typeof order | 'status'>

/** The fields of the event of a lost connection. */
export type LossFacts = Omit<Payloads['social_account.reconnect_required'], keyof typeof order>

/** How much of a partly published thread is live. */
export type ThreadFacts = Pick<Payloads['post.publish_failed'], keyof typeof thread>
