import type { LivePosts } from '../live-posts.ts'

export const live: LivePosts = {
  edit: 'Bluesky apps ignore edits: they show a post as it was first published.',
  deletion: true,
}
