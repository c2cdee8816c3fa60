import type { LivePosts } from '../live-posts.ts'

const onlySelf = 'Reddit edits only posts of the kind `self`.'

export const live: LivePosts = {
  edit: {
    fields: ['body'],
    // editusertext is for comments and self posts (Reddit API, 2026-11-27).
    withField: { kind: Object.fromEntries(['link', 'image', 'video', 'crosspost'].map((kind) => [kind, onlySelf])) },
  },
  deletion: true,
}
