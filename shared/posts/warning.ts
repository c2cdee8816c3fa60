import * as z from 'zod/mini'
import { described } from '../http/described.ts'

export const warningCodes = [
  'duplicate_text',
  'unknown_field',
  'may_be_rejected',
  'limited_reach',
  'platform_price',
  'still_image',
  'first_comment_not_supported',
  'platform_api_ends',
] as const

/** What the author of a post may not have intended. The post is accepted. */
export const Warning = z
  .object({
    socialAccountId: described(
      z.nullable(z.string()),
      'The ID of the account with the warning; null if it concerns the request.',
    ),
    platform: described(z.string(), 'The platform of the account; `unknown` if it is about the request.'),
    code: described(
      z.enum(warningCodes),
      '`duplicate_text`: the same text goes to the same account within a day. `unknown_field`: a field of `metadata` that the service does not know. `may_be_rejected`: the platform may reject the post. `limited_reach`: the platform shows the post in fewer places. `platform_price`: the platform charges the operator of the service, not the author, more for the post. `still_image`: an animated image is shown as its first frame. `first_comment_not_supported`: the post is published without its first comment. `platform_api_ends`: the API of the platform, or the version of it that the service calls, ends before the time of the post.',
    ),
    field: described(z.string(), 'The field of the request that caused the warning.'),
    message: described(z.string(), 'What was found, for people.'),
    next: described(z.string(), 'What to do about it, in one sentence.'),
  })
  .register(z.globalRegistry, {
    id: 'PostWarning',
    description: 'What you may not have meant. The post is accepted.',
    examples: [
      {
        socialAccountId: 'acc_3ujT0dY1wqz5N8rXbC2LmKpQe',
        platform: 'reddit',
        code: 'unknown_field',
        field: 'metadata.reddit.priority',
        message: '"metadata.reddit.priority" is not a known field. It is stored, and has no effect.',
        next: 'Remove it, or see the fields of each platform in GET /api/platforms.',
      },
    ],
  })
export type Warning = z.infer<typeof Warning>

/** The warning about a field of `metadata` that the service does not know. */
export const unknownField = (socialAccountId: string | null, platform: string, field: string): Warning => ({
  socialAccountId,
  platform,
  code: 'unknown_field',
  field,
  message: `"${field}" is not a known field. It is stored, and has no effect.`,
  next: 'Remove it, or see the fields of each platform in GET /api/platforms.',
})
