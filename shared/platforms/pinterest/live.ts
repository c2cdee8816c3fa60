import type { LivePosts } from '../live-posts.ts'

export const live: LivePosts = {
  edit: { fields: ['title', 'description', 'link', 'boardName'] },
  deletion: true,
}
