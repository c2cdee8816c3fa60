import type { LivePosts } from '../live-posts.ts'

export const live: LivePosts = {
  edit: 'Threads offers no call that edits posts.',
  deletion: true,
}
