import type { LivePosts } from '../live-posts.ts'

export const live: LivePosts = {
  edit: 'X publishes an edited post under another ID, which this service does not follow.',
  deletion: true,
}
