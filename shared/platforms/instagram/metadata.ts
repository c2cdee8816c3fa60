import * as z from 'zod/mini'
import { described } from '../../http/described.ts'
import { limitedText, utf16Units } from '../../text/counting.ts'

/** What a post on Instagram can be. */
export const formats = ['feed_image', 'carousel', 'reel', 'story'] as const

export const maxCaption = 2200
export const maxAltText = 1000
export const maxCollaborators = 3

/**
 * The block `metadata.instagram`; other keys are kept. Decided: `thumbOffset` is in milliseconds, as Instagram has it.
 */
export const InstagramMetadata = z.looseObject({
  format: described(z.enum(formats), 'What the post is. A reel and a story take one file, a carousel 2 to 10.'),
  // Instagram does not say what it counts: the strictest count is always accepted.
  caption: described(
    z.optional(limitedText(maxCaption, utf16Units)),
    'The caption, at most 2,200 characters. It is sent in place of `content`.',
  ),
  altText: described(
    z.optional(limitedText(maxAltText, utf16Units)),
    'A text for people who cannot see the image, at most 1,000 characters. By default that of the file.',
  ),
  audioName: described(z.optional(z.string()), 'The name of the audio of a reel.'),
  /** Shows the label "AI info" (Instagram Platform, changelog, 2026-06-22). */
  isAiGenerated: described(z.optional(z.boolean()), 'Whether the post is labeled as made with AI. False by default.'),
  coverMediaAssetId: described(z.optional(z.string()), 'The ID of the image, `med_…`, that is the cover of a reel.'),
  shareToFeed: described(z.optional(z.boolean()), 'Whether a reel appears in the feed as well.'),
  thumbOffset: described(
    z.optional(z.number().check(z.nonnegative())),
    'The time of the frame that becomes the cover of a reel, in milliseconds.',
  ),
  collaborators: described(
    z.optional(
      z
        .array(z.string().check(z.regex(/^@?[\w.]{1,30}$/, { error: 'must be the name of an Instagram account' })))
        .check(z.maxLength(maxCollaborators)),
    ),
    'The names of accounts that are invited as collaborators, at most 3.',
  ),
})
export type InstagramMetadata = z.infer<typeof InstagramMetadata>
