import type { LivePosts } from '../live-posts.ts'

export const live: LivePosts = {
  edit: {
    fields: [],
    // What chat.update does with files that it does not name is not documented (chat.update, file_ids, 2026-11-26).
    withMedia: 'Slack messages with files are not edited.',
  },
  deletion: true,
}
