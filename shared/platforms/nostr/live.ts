import type { LivePosts } from '../live-posts.ts'

export const live: LivePosts = {
  edit: 'Nostr posts cannot be changed: an edited post would be another one.',
  deletion: true,
}
