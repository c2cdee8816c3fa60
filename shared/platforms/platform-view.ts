import * as z from 'zod/mini'
import { platformIds } from '../resources.ts'

/** What a platform itself takes of an image; anything larger, or of another type, is converted before it is sent. */
const SentImage = z.object({
  types: z.array(z.string()),
  maxBytes: z.int(),
  maxWidth: z.optional(z.int()),
  maxHeight: z.optional(z.int()),
})

const FileRule = z.object({
  /** Most of this kind in one post. */
  max: z.int(),
  types: z.array(z.string()),
  maxBytes: z.int(),
  minWidth: z.optional(z.int()),
  maxWidth: z.optional(z.int()),
  minHeight: z.optional(z.int()),
  maxHeight: z.optional(z.int()),
  maxPixels: z.optional(z.int()),
  minAspect: z.optional(z.number()),
  maxAspect: z.optional(z.number()),
  minDurationMs: z.optional(z.int()),
  maxDurationMs: z.optional(z.int()),
  maxFrames: z.optional(z.int()),
  /** All frames of an animated image together. */
  maxMovingPixels: z.optional(z.int()),
  sent: z.optional(SentImage),
})

const TextMeasure = z.object({
  max: z.int(),
  unit: z.enum(['characters', 'bytes']),
  counting: z.string(),
  /** For accounts of this tier alone, in place of the measures without one. */
  tier: z.optional(z.string()),
  source: z.string(),
})

const MediaRule = z.object({
  /** The values of metadata fields it is for; the first rule that matches holds. */
  when: z.optional(z.record(z.string(), z.array(z.string()))),
  /** For accounts of this tier alone. */
  tier: z.optional(z.string()),
  min: z.int(),
  max: z.int(),
  image: z.optional(FileRule),
  gif: z.optional(FileRule),
  video: z.optional(FileRule),
  mixed: z.boolean(),
  maxTotalBytes: z.optional(z.int()),
  source: z.string(),
})

const example = {
  id: 'bluesky',
  name: 'Bluesky',
  connectedBy: 'app password',
  text: {
    empty: 'with media',
    measures: [
      {
        max: 300,
        unit: 'characters',
        counting: 'graphemes',
        source: 'lexicon app.bsky.feed.post, maxGraphemes, 2026-08-20',
      },
    ],
  },
  media: [
    {
      min: 0,
      max: 4,
      image: {
        max: 4,
        types: ['image/jpeg', 'image/png', 'image/gif', 'image/webp'],
        maxBytes: 50_000_000,
        sent: { types: ['image/jpeg', 'image/png', 'image/webp', 'image/gif'], maxBytes: 1_000_000 },
      },
      mixed: false,
      source: 'lexicon app.bsky.embed.images, 2026-08-20',
    },
  ],
  assetFields: {},
  rules: [],
}

/** What a platform takes, as data: the very rules by which posts are validated, each with where it comes from. */
export const PlatformView = z
  .object({
    id: z.enum(platformIds),
    name: z.string(),
    connectedBy: z.enum(['browser', 'app password']),
    text: z.object({
      /** The metadata field that is the platform's text when it is there, in place of the content. */
      field: z.optional(z.string()),
      /** When the text may be empty. */
      empty: z.enum(['with media', 'always', 'never']),
      measures: z.array(TextMeasure),
    }),
    media: z.array(MediaRule),
    hashtags: z.optional(z.object({ max: z.int(), source: z.string() })),
    /** The block `metadata.<id>` as a JSON Schema of draft 2020-12. */
    metadata: z.optional(
      z.object({ required: z.boolean(), schema: z.record(z.string(), z.unknown()), source: z.string() }),
    ),
    /** Metadata fields that name an asset of the workspace, with the rule for its file. */
    assetFields: z.record(z.string(), FileRule),
    /** What is no number, in sentences. */
    rules: z.array(z.object({ says: z.string(), source: z.string() })),
  })
  .register(z.globalRegistry, { id: 'Platform', examples: [example] })
export type PlatformView = z.infer<typeof PlatformView>
