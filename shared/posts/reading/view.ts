import * as z from 'zod/mini'
import { failureReasons } from '../../events/failure-reasons.ts'
import { described } from '../../http/described.ts'
import { tagOf } from '../../http/etag.ts'
import { timestamp } from '../../http/moment.ts'
import { pair } from '../../ids.ts'
import { platformIds } from '../../resources.ts'
import { metadataOf, type Post, postStatuses } from '../lifecycle/row.ts'
import { versionOf } from '../lifecycle/state.ts'
import { Warning } from '../warning.ts'

const ThreadPlace = z
  .object({
    headPostId: described(
      z.string(),
      'The ID of the post of the first tweet. Cancel, reschedule, or delete that post to change the thread.',
    ),
    position: described(z.int(), 'The position of the tweet in the thread, from 1.'),
    totalTweets: described(z.int(), 'The number of tweets in the thread.'),
  })
  .register(z.globalRegistry, { id: 'ThreadPlace', description: 'The place of a tweet in its thread.' })

/** Why a post failed: the message of the service and that of the platform. */
const PostFailure = z
  .object({
    reason: described(
      z.nullable(z.enum(failureReasons)),
      'Why it failed, as a code for programs. The same as `reason` of the post.',
    ),
    message: described(z.string(), 'A sentence for people. The same as `error` of the post.'),
    retrySafe: described(
      z.nullable(z.boolean()),
      'True: nothing of it is live. False: it may be live; check the platform before you post again.',
    ),
    platformCode: described(
      z.nullable(z.string()),
      "The platform's own name or number of the error; null if it sent none.",
    ),
    platformMessage: described(
      z.nullable(z.string()),
      "The platform's own words, at most 300 characters; null if it sent none.",
    ),
  })
  .register(z.globalRegistry, {
    id: 'PostFailure',
    description: 'Why a post failed, in the words of the service and of the platform.',
  })

const commentStatuses = ['scheduled', 'published', 'failed', 'cancelled'] as const

/** The first comment of a post, with its state. */
const FirstComment = z
  .object({
    text: described(z.string(), 'The text of the comment.'),
    delaySeconds: described(z.int(), 'How long after the post it follows, in seconds.'),
    status: described(
      z.enum(commentStatuses),
      '`scheduled`: waits for the post, or is being published. `published`: live. `failed`: not published, or of unknown outcome; see `error`. `cancelled`: the post failed or was canceled, so it has no comment.',
    ),
    publishedAt: described(z.nullable(timestamp()), 'When it became known that the comment is live; null until then.'),
    commentId: described(
      z.nullable(z.string()),
      "The platform's ID of the comment; null until it is live, and if the platform returned none.",
    ),
    url: described(
      z.nullable(z.string()),
      'The URL of the comment; null until it is live, and if the platform has none.',
    ),
    error: described(z.nullable(z.string()), 'Why the comment is not live, in one sentence; null otherwise.'),
    mayBeLive: described(
      z.boolean(),
      'True if a failed or canceled comment may still be live. Check the platform before you write it again.',
    ),
  })
  .register(z.globalRegistry, {
    id: 'FirstComment',
    description: 'The first comment of a post, with its state.',
    examples: [
      {
        text: 'The recipe is on our site.',
        delaySeconds: 60,
        status: 'published',
        publishedAt: '2026-12-18T08:01:00.412Z',
        commentId: 'at://did:plc:ewvi7nxzyoun6zhxrhs64oiz/app.bsky.feed.post/3n2sghbdlvk2c',
        url: 'https://bsky.app/profile/did:plc:ewvi7nxzyoun6zhxrhs64oiz/post/3n2sghbdlvk2c',
        error: null,
        mayBeLive: false,
      },
    ],
  })

/** A file of a post that is fetched from an address. */
const ImportedFile = z
  .object({
    mediaId: described(
      z.string(),
      'The ID of the file, `med_…`, as in `mediaUrls`. The library has it once it is `ready`.',
    ),
    url: described(z.string(), 'The address that you sent.'),
    status: described(
      z.enum(['pending', 'ready', 'failed']),
      '`pending`: is being fetched and checked. `ready`: stored in the library. `failed`: cannot be used; see `error`.',
    ),
    error: described(
      z.nullable(z.string()),
      'Why the file cannot be used, in one sentence. While it is `pending`: why the last try failed. Null otherwise.',
    ),
  })
  .register(z.globalRegistry, { id: 'ImportedFile', description: 'A file that is fetched from an address.' })

/** A post as the API shows it. */
export const PostView = z
  .object({
    id: described(z.string(), 'The ID of the post.'),
    status: described(
      z.enum(postStatuses),
      '`scheduled`: waits for its time, or is being published. `published`: live. `failed`: not published, or of unknown outcome; see `failure`. `cancelled`: canceled by you. `draft`: never set by the service.',
    ),
    content: described(z.string(), 'The text that the platform of the account gets.'),
    scheduledAt: described(
      z.nullable(timestamp()),
      'The time you requested, in UTC (RFC 3339). For a post that was published immediately, the time of acceptance.',
    ),
    plannedAt: timestamp('When the post is published: `scheduledAt`, plus up to five minutes with `naturalPosting`.'),
    publishedPostUrl: described(
      z.nullable(z.string()),
      'The URL of the live post; null until it is live, and if the platform gives none.',
    ),
    publishedAt: described(z.nullable(timestamp()), 'When the service learned that the post is live; null until then.'),
    platformPostId: described(
      z.nullable(z.string()),
      "The platform's ID of the live post; null until then, and if the platform returned none.",
    ),
    firstComment: described(z.nullable(FirstComment), 'The first comment of the post; null without one.'),
    liveDeletedAt: described(
      z.nullable(timestamp()),
      'When the live post was removed from its platform by `live=true`; null if it was not.',
    ),
    liveDeletionError: described(
      z.nullable(z.string()),
      'Why the live post could not be removed from its platform, in one sentence; null otherwise.',
    ),
    liveEditedAt: described(
      z.nullable(timestamp()),
      'When the live post was last edited at its platform by `live=true`; null if it was not.',
    ),
    liveEditError: described(
      z.nullable(z.string()),
      'Why the last edit of the live post failed, in one sentence; null otherwise.',
    ),
    error: described(z.nullable(z.string()), 'Why the post failed, in one sentence for people; null unless it failed.'),
    reason: described(
      z.nullable(z.enum(failureReasons)),
      'Why it failed: the `reason` of its event `post.publish_failed`.',
    ),
    retrySafe: described(
      z.nullable(z.boolean()),
      'Of a failed post. False: the post may be live. Check the platform before you post again.',
    ),
    failure: described(z.nullable(PostFailure), 'Why the post failed; null unless its status is `failed`.'),
    thread: described(z.nullable(ThreadPlace), 'Its position in a thread; null outside of threads.'),
    groupId: described(z.nullable(z.string()), 'The ID that all posts of one request share.'),
    socialAccountId: described(z.string(), 'The ID of the account, `acc_…`.'),
    mediaUrls: described(z.array(z.string()), 'The IDs of the files, `med_…`, in order.'),
    imports: described(
      z.array(ImportedFile),
      'The files that are fetched from addresses you sent, with their states. Empty if all files were uploaded.',
    ),
    mediaError: described(
      z.nullable(z.string()),
      'Why the post cannot be published with the files that were fetched for it, in one sentence; null if nothing is wrong. The post fails at its time with the reason `media_import_failed`, unless you change its files.',
    ),
    metadata: described(
      z.nullable(z.record(z.string(), z.unknown())),
      'The metadata as you sent it: the block of this platform, under its name; null if there is none.',
    ),
    externalId: described(z.nullable(z.string()), 'Your own ID of the post; null if you sent none.'),
    platform: described(z.enum(platformIds), 'The platform of the account.'),
    createdAt: timestamp('When the post was accepted, in UTC.'),
    warnings: described(
      z.optional(z.array(Warning)),
      'What you may not have meant. Only in the response to the request that creates the post.',
    ),
    version: described(
      z.int(),
      'Increases with every change of the post, also of its status. The `ETag` is this number in quotes.',
    ),
  })
  .register(z.globalRegistry, { id: 'Post', description: 'A post to one account, with its state.' })
export type PostView = z.infer<typeof PostView>

/** The ETag of a post. */
export const postTag = ({ version }: Pick<PostView, 'version'>): string => tagOf(version)

const failureOf = ({ status, attempts, reason, retrySafe, error }: Post): PostView['failure'] => {
  if (status !== 'failed') return null
  const { platformCode = null, platformMessage = null } = attempts?.at(-1)?.failure ?? {}
  return { reason: reason ?? null, message: error ?? '', retrySafe: retrySafe ?? null, platformCode, platformMessage }
}

const commentStatusOf = ({ status, firstComment }: Post): (typeof commentStatuses)[number] => {
  const { ended } = firstComment ?? {}
  if (ended !== undefined) return ended.error === undefined ? 'published' : 'failed'
  return status === 'failed' || status === 'cancelled' ? 'cancelled' : 'scheduled'
}

const viewComment = (post: Post): PostView['firstComment'] => {
  if (post.firstComment === undefined) return null
  const { text, delaySeconds, ended } = post.firstComment
  const isLive = ended !== undefined && ended.error === undefined
  const status = commentStatusOf(post)
  // For restored rows, nothing shows whether the post, and its comment, was live.
  const isUnknown = status === 'cancelled' && post.attempt?.restoredAtMs !== undefined
  return {
    text,
    delaySeconds,
    status,
    publishedAt: isLive ? new Date(ended.atMs).toISOString() : null,
    commentId: ended?.platformId ?? null,
    url: ended?.url ?? null,
    error: ended?.error ?? null,
    mayBeLive: ended?.mayBeLive ?? isUnknown,
  }
}

export const viewPost = (post: Post, content: string): PostView => ({
  ...post,
  content,
  plannedAt: new Date(post.scheduledAtMs).toISOString(),
  publishedAt: post.publishedAtMs === undefined ? null : new Date(post.publishedAtMs).toISOString(),
  platformPostId: post.platformPostId ?? null,
  firstComment: viewComment(post),
  liveDeletedAt: post.liveDeletedAtMs === undefined ? null : new Date(post.liveDeletedAtMs).toISOString(),
  liveDeletionError: post.liveDeletionError ?? null,
  liveEditedAt: post.liveEditedAtMs === undefined ? null : new Date(post.liveEditedAtMs).toISOString(),
  liveEditError: post.liveEditError ?? null,
  reason: post.reason ?? null,
  retrySafe: post.retrySafe ?? null,
  failure: failureOf(post),
  thread: post.thread
    ? { headPostId: post.groupId + pair(0), position: post.thread.index + 1, totalTweets: post.thread.total }
    : null,
  mediaUrls: post.media.map((media) => media.id),
  imports: post.media.flatMap(({ id: mediaId, source }) =>
    source === undefined ? [] : [{ mediaId, url: source.url, status: source.status, error: source.error ?? null }],
  ),
  mediaError: post.mediaError ?? null,
  metadata: post.metadata === undefined ? null : { [post.platform]: metadataOf(post) },
  externalId: post.externalId ?? null,
  version: versionOf(post),
})
