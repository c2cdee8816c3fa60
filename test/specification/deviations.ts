// Known deviations from the specification, each with its reason.

/**
 * The specification requires no block of "a text or media post" on YouTube, where a post cannot be text only: a post there is
 * a video (YouTube Data API, `videos.insert`).
 */
export const withoutTextAlone = ['youtube'] as const

/** The specification has threads on X alone. Chains of replies are usual on these as well, and take the same request. */
export const furtherThreadPlatforms = ['bluesky', 'threads', 'mastodon', 'nostr'] as const

/** Platforms other than the twelve of the specification. */
export const furtherPlatforms = ['mastodon', 'wordpress', 'nostr'] as const

/** Event types that the catalog lists in addition to those of the specification, marked as extensions. */
export const furtherEventTypes = [
  'post.comment_published',
  'post.comment_failed',
  'post.live_deleted',
  'post.live_delete_failed',
  'post.live_edited',
  'post.live_edit_failed',
  'post.updated',
  'social_account.connected',
  'social_account.disconnected',
  'social_account.access_ending',
  'workspace.trial_ending',
  'workspace.payment_failed',
  'ai.completed',
] as const
