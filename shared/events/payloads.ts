import * as z from 'zod/mini'
import { timestamp } from '../http/moment.ts'
import { platformIds } from '../resources.ts'
import type { EventType } from './types.ts'

/** Why a post did not go out, for programs; `error` says it to people. */
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

const reasonsTold =
  '`rejected`: the content cannot pass. `blocked`: the platform refuses this post, or posts of this account for a while, ' +
  'although the account stays connected. `permission_missing`, `account_disconnected`: connect the account again.'

/** Why a connection was lost, for programs; `error` says it to people. */
export const lossReasons = ['credentials_refused', 'permission_missing'] as const

const text = () => z.string()
const told = (description: string) => ({ description })

/** What every event says of its order, and of being a test. */
const order = {
  sequence: z
    .int()
    .check(z.gte(1))
    .register(z.globalRegistry, told('Counts the events of this post or account: drop a lower one.')),
  previousEventId: z
    .nullable(text())
    .register(z.globalRegistry, told('The event before this one of the same post or account.')),
  test: z.optional(z.literal(true)).register(z.globalRegistry, told('There in a test of an endpoint only.')),
}

const post = {
  postId: text(),
  groupId: text().register(z.globalRegistry, told('Shared by the posts of one request.')),
  socialAccountId: text(),
  platform: z.enum(platformIds),
  content: text().register(z.globalRegistry, told('The text, cut after 1,000 characters.')),
  contentTruncated: z.boolean(),
  scheduledAt: timestamp(),
  publishedPostUrl: z.nullable(text()),
  error: z.nullable(text()),
}

const late = {
  lateBySeconds: z.optional(z.int()).register(z.globalRegistry, told('There where it was over a minute late.')),
}

const thread = {
  totalTweets: z.optional(z.int()),
  publishedCount: z.optional(z.int()),
  tweetIds: z.optional(z.array(z.nullable(text()))).register(z.globalRegistry, told('Of the tweets that are live.')),
}

/** The `data` of each event type, at the `apiVersion` of today. */
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
    reason: z.enum(failureReasons).register(z.globalRegistry, told(reasonsTold)),
    retrySafe: z.boolean().register(z.globalRegistry, told('False: it may be live, look before you post again.')),
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

/** What an event of a type says beyond what all events of posts say. */
export type Facts<T extends PostEventType> = Omit<Payloads[T], keyof typeof post | keyof typeof order | 'status'>

/** What the event of a lost connection says. */
export type LossFacts = Omit<Payloads['social_account.reconnect_required'], keyof typeof order>

/** How much of a broken thread is live. */
export type ThreadFacts = Pick<Payloads['post.publish_failed'], keyof typeof thread>
