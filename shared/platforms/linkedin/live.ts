import type { LivePosts } from '../live-posts.ts'

export const live: LivePosts = {
  // The position of a mention is in the text, so that both change together.
  edit: { fields: ['mentions'] },
  deletion: true,
}
