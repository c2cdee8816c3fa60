import * as z from 'zod/mini'
import { described } from '../http/described.ts'
import { type EventType, eventTypes } from './types.ts'

const descriptions: Readonly<Record<EventType, string>> = {
  'post.scheduled': 'A post was accepted for a time; one event for each account.',
  'post.rescheduled': 'A scheduled or failed post got a new time.',
  'post.updated': 'A scheduled post got other text, media, metadata, or another external id; its time stays.',
  'post.cancelled': 'A scheduled post was cancelled or deleted before it went out.',
  'post.published': 'A post is live; `publishedPostUrl` is its address.',
  'post.publish_failed':
    'A post was not published; `reason` says why, and `retrySafe` whether it is safe to post again.',
  'social_account.reconnect_required': 'The connection to an account was lost; sent once for each loss.',
  'social_account.connected':
    'An account was connected, or connected again; `reconnected` says which. Sent for each time it is connected.',
  'social_account.disconnected': 'An account was disconnected with the API. Its scheduled posts stay.',
  'workspace.trial_ending': 'The trial of a workspace ends in three days or less; sent once for each trial.',
  'workspace.payment_failed':
    'A payment for the plan of a workspace failed; sent once for each invoice. `accessEndsAt` says when access ends.',
  'ai.completed': 'An AI job ended, completed or failed. The event does not contain the text: read the job.',
}

const post = {
  postId: '01KAJ3V9Q6M0T4W2Y8Z5X7C1B300',
  groupId: '01KAJ3V9Q6M0T4W2Y8Z5X7C1B3',
  socialAccountId: 'acc_3ujT0dY1wqz5N8rXbC2LmKpQe',
  platform: 'bluesky',
  status: 'scheduled',
  content: 'Hello from the Social Publishing Service',
  contentTruncated: false,
  scheduledAt: '2026-12-01T09:00:00.000Z',
  publishedPostUrl: null,
  error: null,
  sequence: 1,
  previousEventId: null,
}

const account = {
  socialAccountId: post.socialAccountId,
  platform: 'bluesky',
  username: 'alice.bsky.social',
  externalId: 'customer-42',
}

const second = { sequence: 2, previousEventId: 'evt_01KAJ1Z3B5D7F9H1K3N5Q7S9V100' }

const examples: Readonly<Record<EventType, Readonly<Record<string, unknown>>>> = {
  'post.scheduled': post,
  'post.rescheduled': { ...post, scheduledAt: '2026-12-01T10:30:00.000Z', ...second },
  'post.updated': { ...post, content: 'Hello again', changedFields: ['content'], ...second },
  'post.cancelled': { ...post, status: 'cancelled', ...second },
  'post.published': {
    ...post,
    status: 'published',
    publishedPostUrl: 'https://bsky.app/profile/did:plc:ewvi7nxzyoun6zhxrhs64oiz/post/3n2sghbdlvk2b',
    publishedAt: '2026-12-01T09:00:00.412Z',
    platformPostId: 'at://did:plc:ewvi7nxzyoun6zhxrhs64oiz/app.bsky.feed.post/3n2sghbdlvk2b',
    ...second,
  },
  'post.publish_failed': {
    ...post,
    status: 'failed',
    error: 'The text is too long.',
    reason: 'rejected',
    retrySafe: true,
    ...second,
  },
  'social_account.reconnect_required': {
    ...account,
    reason: 'credentials_refused',
    error: 'The session has ended.',
    ...second,
  },
  'social_account.connected': {
    ...account,
    reconnected: false,
    sequence: 1,
    previousEventId: null,
  },
  'social_account.disconnected': { ...account, ...second },
  'workspace.trial_ending': {
    planName: 'Team',
    trialEndsAt: '2026-12-04T09:00:00.000Z',
    cancelAtPeriodEnd: false,
    billingUrl: 'https://api.example.com/billing?workspace=acme',
    sequence: 1,
    previousEventId: null,
  },
  'workspace.payment_failed': {
    planName: 'Team',
    amountDueCents: 4900,
    currency: 'usd',
    nextAttemptAt: '2026-12-04T09:00:00.000Z',
    accessEndsAt: '2026-12-08T09:00:00.000Z',
    billingUrl: 'https://api.example.com/billing?workspace=acme',
    ...second,
  },
  'ai.completed': {
    jobId: 'aij_01KAJ2K6C8E0G2J4M6P8S0V2X4',
    kind: 'generate',
    status: 'completed',
    sequence: 1,
    previousEventId: null,
  },
}

/** What an event type means, in one sentence. */
export const describeEvent = (type: EventType): string => descriptions[type]

/** An example of an event's data. */
export const eventExample = (type: EventType): Readonly<Record<string, unknown>> => examples[type]

/** An event type as the catalog shows it; `schema` is the JSON Schema of the event's `data`. */
export const CatalogEntry = z
  .object({
    type: described(z.enum(eventTypes), 'The name of the type.'),
    description: described(z.string(), 'When the event is sent.'),
    example: described(z.record(z.string(), z.unknown()), 'An example of `data`.'),
    schema: described(z.record(z.string(), z.unknown()), 'The JSON Schema of `data`.'),
    extension: described(z.boolean(), 'Whether an endpoint receives the type only if it subscribes to it by name.'),
    apiVersion: described(z.string(), 'The version of the shape of `data`, a date.'),
  })
  .register(z.globalRegistry, { id: 'WebhookEventType', description: 'A type of event.' })
