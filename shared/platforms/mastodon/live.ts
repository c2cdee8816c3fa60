import type { LivePosts } from '../live-posts.ts'

export const live: LivePosts = {
  edit: {
    fields: [],
    // An edit sends the poll again, with another end (Mastodon source, UpdateStatusService, 2026-11-26).
    withField: { poll: 'Mastodon posts with a poll are not edited: the poll would begin again.' },
  },
  deletion: true,
}
