import * as z from 'zod/mini'
import { limitedText, utf16Units } from '../counting.ts'

/** What a post on Instagram can be. */
export const formats = ['feed_image', 'carousel', 'reel', 'story'] as const

export const maxCaption = 2200
export const maxAltText = 1000
export const maxCollaborators = 3

/**
 * The block `metadata.instagram`; other keys are kept. Decided: `thumbOffset` is in milliseconds, as Instagram has it.
 */
export const InstagramMetadata = z.looseObject({
  format: z.enum(formats),
  // Instagram does not say what it counts: the strictest count is always accepted.
  caption: z.optional(limitedText(maxCaption, utf16Units)),
  altText: z.optional(limitedText(maxAltText, utf16Units)),
  audioName: z.optional(z.string()),
  /** Shows the label "AI info" (Instagram Platform, changelog, 2026-06-22). */
  isAiGenerated: z.optional(z.boolean()),
  coverMediaAssetId: z.optional(z.string()),
  shareToFeed: z.optional(z.boolean()),
  thumbOffset: z.optional(z.number().check(z.nonnegative())),
  collaborators: z.optional(
    z
      .array(z.string().check(z.regex(/^@?[\w.]{1,30}$/, { error: 'must be the name of an Instagram account' })))
      .check(z.maxLength(maxCollaborators)),
  ),
})
export type InstagramMetadata = z.infer<typeof InstagramMetadata>
