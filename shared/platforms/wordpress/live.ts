import type { LivePosts } from '../live-posts.ts'

export const live: LivePosts = {
  edit: { fields: ['title', 'excerpt'] },
  deletion: true,
}
