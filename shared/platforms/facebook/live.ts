import type { LivePosts } from '../live-posts.ts'

const noStories = 'Facebook stories have no text to edit.'

export const live: LivePosts = {
  edit: { fields: [], withField: { format: { photo_story: noStories, video_story: noStories } } },
  deletion: true,
}
