import * as z from 'zod/mini'
import { described } from '../../http/described.ts'
import { limitedText, utf16Units } from '../../text/counting.ts'

/** The types of an Instagram post. */
export const formats = ['feed_image', 'carousel', 'reel', 'story'] as const

export const maxCaption = 2200
export const maxAltText = 1000
export const maxCollaborators = 3
export const maxUserTags = 20

const username = z.string().check(z.regex(/^@?[\w.]{1,30}$/, { error: 'must be the name of an Instagram account' }))
const share = z.number().check(z.minimum(0), z.maximum(1))

/**
 * The block `metadata.instagram`; unknown keys are preserved. Decided: `thumbOffset` is in milliseconds, as Instagram has it.
 */
export const InstagramMetadata = z.looseObject({
  format: described(z.enum(formats), 'What the post is. A reel and a story take one file, a carousel 2 to 10.'),
  // Instagram does not document what it counts: the strictest count is always accepted.
  caption: described(
    z.optional(limitedText(maxCaption, utf16Units)),
    'The caption, at most 2,200 characters. It replaces `content`.',
  ),
  altText: described(
    z.optional(limitedText(maxAltText, utf16Units)),
    'A text for people who cannot see the image, at most 1,000 characters. By default the text of the file.',
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
    z.optional(z.array(username).check(z.maxLength(maxCollaborators))),
    'The names of accounts that are invited as collaborators, at most 3.',
  ),
  userTags: described(
    z.optional(
      z
        .array(
          z.looseObject({
            username: described(username, 'The name of a public account.'),
            x: described(z.optional(share), 'The position from the left edge of the image, 0 to 1.'),
            y: described(z.optional(share), 'The position from the top edge of the image, 0 to 1.'),
            mediaIndex: described(
              z.optional(z.int().check(z.nonnegative())),
              'The image of a carousel, counted from 0. The first file by default.',
            ),
          }),
        )
        .check(z.maxLength(maxUserTags)),
    ),
    'The accounts that are tagged, at most 20. On an image, each has a position, `x` and `y`; on a reel, none has. A story takes both.',
  ),
  trialParams: described(
    z.optional(
      z.looseObject({
        graduationStrategy: described(
          z.enum(['MANUAL', 'SS_PERFORMANCE']),
          'Who ends the trial: the author in the app (`MANUAL`), or Instagram if the reel performs well (`SS_PERFORMANCE`).',
        ),
      }),
    ),
    'Makes a reel a trial, which only people see who do not follow the account. Instagram does not offer it to all accounts.',
  ),
})
export type InstagramMetadata = z.infer<typeof InstagramMetadata>
