import * as z from 'zod/mini'
import { described } from '../http/described.ts'
import { timestamp } from '../http/moment.ts'
import { platformIds } from '../resources.ts'
import { failureReasons } from './failure-reasons.ts'
import type { EventType } from './types.ts'

/** The fields of a post that change without a new time. */
const changedFields = ['content', 'mediaUrls', 'metadata', 'externalId'] as const
export type ChangedField = (typeof changedFields)[number]

const reasonsDescribed =
  '`rejected`: the platform does not accept the content. `blocked`: the platform refuses this post, or posts of this ' +
  'account for a while, although the account stays connected. `permission_missing`, `account_disconnected`: connect the account again.'

/** Why a connection was lost, as codes for programs; `error` is the sentence for people. */
export const lossReasons = ['credentials_refused', 'permission_missing'] as const

const text = () => z.string()
/** The fields of every event: its order, and whether it is a test. */
const order = {
  sequence: described(
    z.int().check(z.gte(1)),
    'Increases with the events of this post or account. Ignore an event with a lower number than one you have processed.',
  ),
  previousEventId: described(z.nullable(text()), 'The id of the previous event of the same post or account.'),
  test: described(z.optional(z.literal(true)), 'Present only in a test of an endpoint.'),
}

const post = {
  postId: described(text(), 'The ID of the post.'),
  groupId: described(text(), 'Shared by the posts of one request.'),
  externalId: described(z.optional(text()), 'Your own id of the request, if you sent one.'),
  socialAccountId: described(text(), 'The ID of the account, `acc_…`.'),
  platform: described(z.enum(platformIds), 'The platform of the account.'),
  content: described(text(), 'The text, cut after 1,000 characters.'),
  contentTruncated: described(z.boolean(), 'Whether `content` is cut.'),
  scheduledAt: timestamp('The time that was requested, in UTC.'),
  publishedPostUrl: described(z.nullable(text()), 'The URL of the live post; null if there is none.'),
  error: described(z.nullable(text()), 'Why the post failed, for people; null unless it failed.'),
}

const status = <S extends string>(value: S) => described(z.literal(value), 'The status of the post.')

const account = {
  socialAccountId: described(text(), 'The ID of the account, `acc_…`.'),
  platform: described(z.enum(platformIds), 'The platform of the account.'),
  username: described(z.nullable(text()), 'The name of the account at the platform; null if it has none.'),
  externalId: described(
    z.nullable(text()),
    'The id of the owner in your own system, as sent when the account was connected; null without one.',
  ),
}

const late = {
  lateBySeconds: described(z.optional(z.int()), 'Present if the post was more than a minute late.'),
}

const planName = described(z.nullable(text()), 'The name of the plan; null without one.')
const billingUrl = described(text(), 'The page on which people manage the plan.')

const thread = {
  totalTweets: described(z.optional(z.int()), 'For a thread: the number of its tweets.'),
  publishedCount: described(z.optional(z.int()), 'For a thread: the number of tweets that are live.'),
  tweetIds: described(z.optional(z.array(z.nullable(text()))), 'The ids of the tweets that are live.'),
}

/** The `data` of each event type, at the current `apiVersion`. */
export const payloads = {
  'post.scheduled': z.object({
    ...post,
    status: status('scheduled'),
    ...order,
  }),
  'post.rescheduled': z.object({
    ...post,
    status: status('scheduled'),
    ...order,
  }),
  'post.updated': z.object({
    ...post,
    status: status('scheduled'),
    changedFields: described(z.array(z.enum(changedFields)), 'The fields that have another value than before.'),
    ...order,
  }),
  'post.cancelled': z.object({
    ...post,
    status: status('cancelled'),
    ...order,
  }),
  'post.published': z.object({
    ...post,
    status: status('published'),
    publishedAt: timestamp('When the post went live, in UTC.'),
    platformPostId: described(z.nullable(text()), 'The ID of the post at the platform; null if it returned none.'),
    ...late,
    ...order,
  }),
  'post.publish_failed': z.object({
    ...post,
    status: status('failed'),
    reason: described(z.enum(failureReasons), reasonsDescribed),
    retrySafe: described(z.boolean(), 'False: the post may be live. Check the platform before you post again.'),
    ...late,
    ...thread,
    ...order,
  }),
  'social_account.reconnect_required': z.object({
    ...account,
    reason: described(
      z.enum(lossReasons),
      '`credentials_refused`: the platform rejects the credentials. `permission_missing`: a permission was not granted or was withdrawn.',
    ),
    error: described(text(), 'Why the connection was lost, for people.'),
    ...order,
  }),
  'social_account.connected': z.object({
    ...account,
    reconnected: described(z.boolean(), 'Whether the workspace had this account before. Its id and its posts stay.'),
    ...order,
  }),
  'social_account.disconnected': z.object({ ...account, ...order }),
  'workspace.trial_ending': z.object({
    planName,
    trialEndsAt: timestamp('When the trial ends, in UTC.'),
    cancelAtPeriodEnd: described(z.boolean(), 'True: access ends with the trial. False: the first payment follows.'),
    billingUrl,
    ...order,
  }),
  'workspace.payment_failed': z.object({
    planName,
    amountDueCents: described(z.int(), 'In the smallest unit of the currency.'),
    currency: described(text(), 'The ISO 4217 code in lowercase.'),
    nextAttemptAt: z.nullable(timestamp('When the payment is tried again; null if it is not.')),
    accessEndsAt: z.nullable(timestamp('When access ends unless a payment succeeds.')),
    billingUrl,
    ...order,
  }),
  'ai.completed': z.object({
    jobId: described(text(), 'Read the job with GET /api/ai/jobs/{id}.'),
    kind: described(z.enum(['generate', 'transcribe']), 'What the job does.'),
    status: described(z.enum(['completed', 'failed']), 'How the job ended.'),
    ...order,
  }),
} satisfies Record<EventType, z.ZodMiniObject>

type Payloads = { [T in EventType]: z.infer<(typeof payloads)[T]> }

export type PostEventType = Extract<EventType, `post.${string}`>

/** The fields of an event type beyond those of every post event. */
export type Facts<T extends PostEventType> = Omit<Payloads[T], keyof typeof post | keyof typeof order | 'status'>

/** The fields of the events about accounts. */
export type AccountFacts = {
  [T in Extract<EventType, `social_account.${string}`>]: Omit<Payloads[T], keyof typeof order>
}

/** The fields of the event of an AI job. */
export type JobFacts = Omit<Payloads['ai.completed'], keyof typeof order>
/** The fields of the events about billing. */
export type BillingFacts = {
  [T in Extract<EventType, `workspace.${string}`>]: Omit<Payloads[T], keyof typeof order>
}

/** How much of a partly published thread is live. */
export type ThreadFacts = Pick<Payloads['post.publish_failed'], keyof typeof thread>
