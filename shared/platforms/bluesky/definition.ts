import * as z from 'zod/mini'
import { described } from '../../http/described.ts'
import { imageTypes, maxImageBytes, videoTypes } from '../../media/types.ts'
import { graphemes, utf8Bytes } from '../../text/counting.ts'
import { languageTag } from '../../text/language-tag.ts'
import type { PlatformDefinition } from '../definition.ts'

/** The block `metadata.bluesky`; other keys are kept. */
export const BlueskyMetadata = z.looseObject({
  langs: described(
    z.optional(z.array(languageTag).check(z.minLength(1), z.maxLength(3))),
    'The languages of the text: 1 to 3 BCP 47 tags, such as `en` or `pt-BR`. Feeds filter by them. Absent: not said.',
  ),
})
export type BlueskyMetadata = z.infer<typeof BlueskyMetadata>

const common = { autocomplete: 'off', maxLength: 300 } as const

/** Bluesky's rules; 300 graphemes and the bytes of the lexicon apply together. */
export const definition = {
  id: 'bluesky',
  name: 'Bluesky',
  // The same as BlueskyLogin (login.ts), for the form on our pages: whoever reads the rules does not load that schema.
  connect: {
    fields: [
      { ...common, name: 'identifier', label: 'Handle', type: 'text', hint: 'For example ann.bsky.social' },
      {
        ...common,
        name: 'appPassword',
        label: 'App password',
        type: 'password',
        hint: 'Create one at Bluesky, under Settings, Privacy and security. It is not stored.',
      },
      {
        ...common,
        name: 'service',
        label: 'Server (PDS)',
        type: 'text',
        optional: true,
        hint: 'Leave it empty if your account is at bsky.social.',
      },
    ],
  },
  concurrency: 50,
  threads: { source: 'lexicon app.bsky.feed.post, replyRef, 2026-08-20' },
  comment: { source: 'a post that replies; lexicon app.bsky.feed.post, replyRef, 2026-08-20' },
  rules: {
    measures: [
      {
        max: 300,
        unit: 'characters',
        counting: 'graphemes',
        count: graphemes,
        source: 'lexicon app.bsky.feed.post, maxGraphemes, 2026-08-20',
      },
      {
        max: 3000,
        unit: 'bytes',
        counting: 'bytes in UTF-8',
        count: utf8Bytes,
        source: 'lexicon app.bsky.feed.post, maxLength, 2026-08-20',
      },
    ],
    media: [
      {
        min: 0,
        // The schema takes 20 and asks clients for a soft limit of 10.
        max: 10,
        image: {
          max: 10,
          types: imageTypes,
          maxBytes: maxImageBytes,
          // The newest lexicon takes 2,000,000 bytes, servers of before 2026 half of it: what every server takes.
          sent: { types: ['image/jpeg', 'image/png', 'image/webp', 'image/gif'], maxBytes: 1_000_000 },
        },
        // A .mov is no mp4 to Bluesky.
        video: { max: 1, types: videoTypes, maxBytes: 300_000_000, sentVideo: { container: 'mp4' } },
        mixed: false,
        source: 'lexicons app.bsky.embed.images, gallery, and video, 2026-08-20',
      },
    ],
    metadata: { schema: BlueskyMetadata, required: false, source: 'lexicon app.bsky.feed.post, 2026-08-20' },
    emptyText: 'with media',
  },
} satisfies PlatformDefinition
