import type { LivePosts } from '../live-posts.ts'

export const live: LivePosts = {
  // Poll Resource, 2026-08-06.
  edit: { fields: [], withField: { poll: 'Discord messages with a poll cannot be edited.' } },
  deletion: true,
}
