import type { LivePosts } from '../live-posts.ts'

export const live: LivePosts = {
  edit: 'TikTok offers no call that edits posts.',
  deletion: 'TikTok offers no call that deletes posts.',
}
