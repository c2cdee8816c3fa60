import { graphemes, utf8Bytes } from '../counting.ts'
import type { PlatformCard } from '../platform.ts'

/** Bluesky's rules; the specification's 300 are the lexicon's graphemes, and its bytes hold beside them. */
export const card: PlatformCard = {
  id: 'bluesky',
  name: 'Bluesky',
  rules: {
    measures: [
      {
        max: 300,
        unit: 'characters',
        count: graphemes,
        source: 'lexicon app.bsky.feed.post, maxGraphemes, 2026-08-20',
      },
      { max: 3000, unit: 'bytes', count: utf8Bytes, source: 'lexicon app.bsky.feed.post, maxLength, 2026-08-20' },
    ],
    media: {
      max: 4,
      types: ['image/jpeg', 'image/png', 'image/webp', 'image/gif'],
      // The newest lexicon takes 2,000,000, servers of before 2026 half of it: what every server takes.
      maxBytes: 1_000_000,
      source: 'lexicon app.bsky.embed.images, 2026-08-20',
    },
    emptyTextWithMedia: true,
  },
}
