import * as z from 'zod/mini'
import { described } from '../../http/described.ts'
import { timestamp } from '../../http/moment.ts'
import { platformIds } from '../../resources.ts'
import { failureReasons } from '../failure-reasons.ts'
import { defineEvent, firstOfSubject, order, secondOfSubject } from './define-event.ts'

/** The fields of a post that change without a new time. */
const changedFields = ['content', 'mediaUrls', 'metadata', 'firstComment', 'externalId'] as const
export type ChangedField = (typeof changedFields)[number]

const reasonsDescribed =
  '`rejected`: the platform does not accept the content. `blocked`: the platform refuses this post, or posts of this ' +
  'account for a while, although the account stays connected. `platform_unavailable`: the platform was down ' +
  'until 24 hours after the time of the post, or its temporary errors about this post did not end within about 18 minutes. ' +
  '`permission_missing`, `account_disconnected`: connect the account again, unless the error names the operator of this service.'

const text = () => z.string()

/** The fields of every event about a post. */
export const post = {
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

const late = {
  lateBySeconds: described(z.optional(z.int()), 'Present if the post was more than a minute late.'),
}

const restored = {
  afterRestore: described(
    z.optional(z.boolean()),
    'True if the service was restored from a backup after the post was due: an event about this may have been sent before, with another ID and a higher `sequence`.',
  ),
}

/** How much of a partly published thread is live. */
export const thread = {
  totalTweets: described(z.optional(z.int()), 'For a thread: the number of its tweets, which are its posts.'),
  publishedCount: described(z.optional(z.int()), 'For a thread: the number of tweets that are live.'),
  tweetIds: described(
    z.optional(z.array(z.nullable(text()))),
    'The ids that the platform gave the tweets that are live.',
  ),
}

const example = {
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
  ...firstOfSubject,
} as const

const live = {
  ...example,
  status: 'published',
  publishedPostUrl: 'https://bsky.app/profile/did:plc:ewvi7nxzyoun6zhxrhs64oiz/post/3n2sghbdlvk2b',
} as const

export const postEvents = {
  'post.scheduled': defineEvent({
    description: 'A post was accepted for a time; one event for each account.',
    data: z.object({
      ...post,
      status: status('scheduled'),
      ...order,
    }),
    example,
  }),
  'post.rescheduled': defineEvent({
    description: 'A scheduled or failed post got a new time.',
    data: z.object({
      ...post,
      status: status('scheduled'),
      ...order,
    }),
    example: { ...example, scheduledAt: '2026-12-01T10:30:00.000Z', ...secondOfSubject },
  }),
  'post.updated': defineEvent({
    description: 'A scheduled post got other text, media, metadata, or another external id; its time stays.',
    data: z.object({
      ...post,
      status: status('scheduled'),
      changedFields: described(z.array(z.enum(changedFields)), 'The fields that have another value than before.'),
      ...order,
    }),
    example: { ...example, content: 'Hello again', changedFields: ['content'], ...secondOfSubject },
  }),
  'post.cancelled': defineEvent({
    description: 'A scheduled post was canceled or deleted.',
    data: z.object({
      ...post,
      status: status('cancelled'),
      ...order,
    }),
    example: { ...example, status: 'cancelled', ...secondOfSubject },
  }),
  'post.published': defineEvent({
    description: 'A post is live; `publishedPostUrl` is its address.',
    data: z.object({
      ...post,
      status: status('published'),
      publishedAt: timestamp('When the post went live, in UTC.'),
      platformPostId: described(z.nullable(text()), 'The ID of the post at the platform; null if it returned none.'),
      ...late,
      ...restored,
      ...order,
    }),
    example: {
      ...live,
      publishedAt: '2026-12-01T09:00:00.412Z',
      platformPostId: 'at://did:plc:ewvi7nxzyoun6zhxrhs64oiz/app.bsky.feed.post/3n2sghbdlvk2b',
      ...secondOfSubject,
    },
  }),
  'post.live_deleted': defineEvent({
    description: 'A live post was removed from its platform by `DELETE /api/posts/{id}?live=true`; its record stays.',
    data: z.object({
      ...post,
      status: status('published'),
      liveDeletedAt: timestamp('When the platform confirmed the deletion, in UTC.'),
      ...order,
    }),
    example: { ...live, liveDeletedAt: '2026-12-02T09:00:01.000Z', ...secondOfSubject },
  }),
  'post.live_delete_failed': defineEvent({
    description: 'A live post could not be removed from its platform; it is still there.',
    data: z.object({
      ...post,
      status: status('published'),
      liveDeletionError: described(text(), 'Why it could not be removed, in one sentence.'),
      ...order,
    }),
    example: {
      ...live,
      liveDeletionError: 'Bluesky is temporarily unavailable.',
      ...secondOfSubject,
    },
  }),
  'post.live_edited': defineEvent({
    description: 'A live post was edited at its platform by `PATCH /api/posts/{id}?live=true`.',
    data: z.object({
      ...post,
      status: status('published'),
      liveEditedAt: timestamp('When the platform took the edit, in UTC.'),
      ...order,
    }),
    example: { ...live, liveEditedAt: '2026-12-02T09:00:01.000Z', ...secondOfSubject },
  }),
  'post.live_edit_failed': defineEvent({
    description: 'A live post could not be edited at its platform; the post keeps its earlier text.',
    data: z.object({
      ...post,
      status: status('published'),
      liveEditError: described(text(), 'Why it could not be edited, in one sentence.'),
      ...order,
    }),
    example: { ...live, liveEditError: 'Discord is temporarily unavailable.', ...secondOfSubject },
  }),
  'post.comment_published': defineEvent({
    description: 'The first comment under a live post is live.',
    data: z.object({
      ...post,
      status: status('published'),
      commentId: described(z.nullable(text()), 'The ID of the comment at the platform; null if it returned none.'),
      commentUrl: described(z.nullable(text()), 'The URL of the comment; null if the platform has none.'),
      commentedAt: timestamp('When it became known that the comment is live, in UTC.'),
      ...order,
    }),
    example: {
      ...live,
      commentId: 'at://did:plc:ewvi7nxzyoun6zhxrhs64oiz/app.bsky.feed.post/3n2sghbdlvk2c',
      commentUrl: 'https://bsky.app/profile/did:plc:ewvi7nxzyoun6zhxrhs64oiz/post/3n2sghbdlvk2c',
      commentedAt: '2026-12-01T09:00:02.118Z',
      ...secondOfSubject,
    },
  }),
  'post.comment_failed': defineEvent({
    description:
      'The first comment under a live post was not published, or its outcome is unknown. The post stays live.',
    data: z.object({
      ...post,
      status: status('published'),
      commentError: described(text(), 'Why the comment was not published, in one sentence.'),
      commentMayBeLive: described(
        z.boolean(),
        'True: the comment may be live. Check the platform before you write it again.',
      ),
      ...order,
    }),
    example: {
      ...live,
      commentError: 'Bluesky is temporarily unavailable.',
      commentMayBeLive: false,
      ...secondOfSubject,
    },
  }),
  'post.publish_failed': defineEvent({
    description: 'A post was not published; `reason` says why, and `retrySafe` whether it is safe to post again.',
    data: z.object({
      ...post,
      status: status('failed'),
      reason: described(z.enum(failureReasons), reasonsDescribed),
      retrySafe: described(z.boolean(), 'False: the post may be live. Check the platform before you post again.'),
      ...late,
      ...restored,
      ...thread,
      ...order,
    }),
    example: {
      ...example,
      status: 'failed',
      error: 'The text is too long.',
      reason: 'rejected',
      retrySafe: true,
      ...secondOfSubject,
    },
  }),
}
