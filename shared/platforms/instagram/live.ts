import type { LivePosts } from '../live-posts.ts'

export const live: LivePosts = {
  edit: 'Instagram offers no call that edits posts.',
  deletion: 'Instagram offers no call that deletes posts.',
}
