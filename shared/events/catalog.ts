import * as z from 'zod/mini'
import { type EventType, eventTypes } from './types.ts'

const descriptions: Readonly<Record<EventType, string>> = {
  'post.scheduled': 'A post was accepted for a time; one event for each account.',
  'post.rescheduled': 'A scheduled or failed post got a new time.',
  'post.cancelled': 'A scheduled post was cancelled or deleted before it went out.',
  'post.published': 'A post is live; `publishedPostUrl` is its address.',
  'post.publish_failed':
    'A post was not published; `reason` says why, and `retrySafe` whether it is safe to post again.',
  'social_account.reconnect_required': 'The connection to an account was lost; sent once for each loss.',
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

const second = { sequence: 2, previousEventId: 'evt_01KAJ1Z3B5D7F9H1K3N5Q7S9V100' }

const examples: Readonly<Record<EventType, Readonly<Record<string, unknown>>>> = {
  'post.scheduled': post,
  'post.rescheduled': { ...post, scheduledAt: '2026-12-01T10:30:00.000Z', ...second },
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
    socialAccountId: post.socialAccountId,
    platform: 'bluesky',
    username: 'alice.bsky.social',
    reason: 'credentials_refused',
    error: 'The session has ended.',
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
    type: z.enum(eventTypes),
    description: z.string(),
    example: z.record(z.string(), z.unknown()),
    schema: z.record(z.string(), z.unknown()),
    /** A type beyond the specification; an endpoint receives it only if it subscribes to it by name. */
    extension: z.boolean(),
    apiVersion: z.string(),
  })
  .register(z.globalRegistry, { id: 'WebhookEventType' })
