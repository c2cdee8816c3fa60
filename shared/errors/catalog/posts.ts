import type { ErrorEntries } from '../reason.ts'

/** Posts and threads, after they passed validation. */
export const postErrors = {
  post_not_found: {
    reason: 'missing',
    message: 'This workspace has no post 01KAJ2K6C8E0G2J4M6P8S0V2X400.',
    meaning: 'The workspace has no post with this id.',
    fix: 'Use an id from GET /api/posts.',
  },
  publish_in_progress: {
    reason: 'conflict',
    message: 'The post is being published and may already be live. Check again in a minute.',
    meaning: 'The post is being published, so it can no longer be changed.',
    fix: 'Read the post again in a minute.',
  },
  post_changed: {
    reason: 'stale',
    message: 'The post has changed since you read it and is now "3". Read it again, then send that value as If-Match.',
    meaning: 'The post has another version than `If-Match` names; nothing was changed.',
    fix: 'Read the post again, then send its new `ETag` as `If-Match`.',
  },
  invalid_post_status: {
    reason: 'invalid',
    message: 'Only a scheduled post can be canceled. This one is published.',
    meaning: 'The status of the post does not permit this.',
    fix: 'Read the post; you can change or cancel a scheduled post, and reschedule a failed one.',
  },
  first_comment_not_supported: {
    reason: 'invalid',
    message: 'TikTok takes no comments by its API. Remove "firstComment".',
    meaning: 'The post cannot have a first comment on this platform, or in this form.',
    fix: 'Send the post without `firstComment`, or null for the account in `firstCommentByAccount`.',
  },
  live_deletion_not_supported: {
    reason: 'invalid',
    message: 'TikTok offers no call that deletes posts. Delete the post there.',
    meaning: 'The platform of the post cannot be asked to delete it.',
    fix: 'Delete the post on the platform.',
  },
  live_change_pending: {
    reason: 'conflict',
    message:
      'The platform is being asked to delete the live post. Delete the record after the event post.live_deleted or post.live_delete_failed.',
    meaning:
      'A platform is being asked to delete or edit a live post, or to take its first comment, which a deletion now would end unseen.',
    fix: 'Wait for the event that the message names, for a day at most, then delete.',
  },
  live_edit_not_supported: {
    reason: 'invalid',
    message: 'TikTok offers no call that edits posts. Edit the post there.',
    meaning: 'The platform of the post cannot be asked to edit it, or not in this field.',
    fix: 'Send only what `field` does not name, or edit the post on the platform.',
  },
  not_thread_head: {
    reason: 'invalid',
    message:
      'This is tweet 2 of a thread. Only its first post (01KAJ2K6C8E0G2J4M6P8S0V2X400) can be changed; the rest follows.',
    meaning: 'The post is a later tweet of a thread.',
    fix: 'Change the first post of the thread; the rest follows.',
  },
  thread_partially_published: {
    reason: 'invalid',
    message: 'The first tweet of the thread is live. Send only a new time; the rest is published unchanged.',
    meaning: 'Some tweets of the thread are live, so its content can no longer be changed.',
    fix: 'Send only `scheduledAt`; the rest is published unchanged.',
  },
  threads_not_supported: {
    reason: 'invalid',
    message:
      'Only X, Bluesky, Threads, Mastodon, and Nostr support threads. acc_3ujT0dY1wqz5N8rXbC2LmKpQe is an account of LinkedIn.',
    meaning: 'The platform of the account has no threads.',
    fix: 'Use an account on X, Bluesky, Threads, Mastodon, or Nostr.',
  },
  group_too_large: {
    reason: 'invalid',
    message: 'The request is too large for one group. Send fewer accounts, files, or metadata.',
    meaning: 'The posts of the request do not fit into one transaction.',
    fix: 'Send several requests with fewer accounts, files, or metadata.',
  },
  x_cap_exceeded: {
    reason: 'limited',
    message: 'X monthly posting cap reached',
    meaning: 'The workspace has used its monthly posts to X.',
    fix: 'Wait for the next month (UTC), cancel scheduled posts to X, or ask for a larger plan.',
  },
} as const satisfies ErrorEntries
