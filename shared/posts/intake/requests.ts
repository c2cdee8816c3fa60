import * as z from 'zod/mini'
import { described } from '../../http/described.ts'
import { Moment } from '../../http/moment.ts'
import { platformIds } from '../../resources.ts'
import { singleLine } from '../../text/single-line.ts'
import { wellFormed } from '../../text/well-formed.ts'
import { writtenText, writtenTexts } from '../../text/written.ts'

/** The most accounts of one request (pipeline rule 8, shared/README.md). */
export const maxAccounts = 45
const maxMedia = 50

export const text = writtenText(100_000)
export const references = z
  .array(z.string().check(z.trim(), z.minLength(1), z.maxLength(2000), wellFormed))
  .check(z.maxLength(maxMedia))
const accountId = z.string().check(z.minLength(1), z.maxLength(100), wellFormed)
export const accountIds = z.array(accountId).check(z.maxLength(maxAccounts))
export const metadataBlocks = z
  .record(z.string(), z.unknown())
  .check(...writtenTexts)
  .register(z.globalRegistry, { id: 'PostMetadata' })
const platform = z.enum(platformIds)
export const platformTexts = z.partialRecord(platform, text)
export const platformReferences = z.partialRecord(platform, references)

/** The caller's own id of a request, as a post stores it and as the list filters by it. */
export const ExternalId = described(
  z.string().check(z.minLength(1), z.maxLength(200), singleLine, wellFormed),
  'Your own ID for the request. Its posts and events have it. It need not be unique.',
)

const aboutMetadata =
  'Fields that only one platform has, by platform: `{ "reddit": { "subreddit": "test", … } }`. Some platforms require their block. Blocks of other platforms are ignored.'
const aboutMedia =
  'The files of the post, in order: IDs (`med_…`) or URLs of files in the library, or public https addresses, which are fetched after the response (`imports` of the post). At most 50, including at most 10 addresses; each platform has its own limit.'
const aboutNatural =
  'Whether each post is published up to five minutes later, each with its own delay. False by default. `plannedAt` shows the result.'

/** The first comment under a post, or under the last post of a thread. */
export const FirstCommentRequest = z
  .strictObject({
    text: described(writtenText(10_000).check(z.minLength(1)), 'The text, within the limit of the platform.'),
    delaySeconds: described(
      z.optional(z.int().check(z.minimum(0), z.maximum(86_400))),
      'How many seconds after the post; 0 by default.',
    ),
  })
  .register(z.globalRegistry, {
    id: 'FirstCommentRequest',
    description: 'A comment by the account under its own post.',
    examples: [{ text: 'The recipe is on our site.', delaySeconds: 60 }],
  })

export const commentsByAccount = z.record(accountId, z.nullable(FirstCommentRequest))

const aboutFirstComment =
  'A comment that each account writes under its post once it is live; on TikTok and Pinterest there is none.'

const target = {
  socialAccountIds: described(
    accountIds.check(z.minLength(1)),
    'The IDs of the accounts to publish to, `acc_…`: 1 to 45, each at most once. Each gets its own post.',
  ),
  content: described(
    text,
    'The text of the post. `GET /api/platforms` lists the limit of each platform. May be empty with media, where the platform allows it.',
  ),
  metadata: described(z.optional(metadataBlocks), aboutMetadata),
  mediaUrls: described(z.optional(references), aboutMedia),
  // Decided: one request can carry per-platform text and media, as drafts do.
  platformContent: described(
    z.optional(platformTexts),
    'Texts that replace `content` on single platforms, by platform: `{ "x": "Shorter." }`.',
  ),
  platformMedia: described(
    z.optional(platformReferences),
    'Files that replace `mediaUrls` on single platforms, by platform. An empty list sends the post without media there.',
  ),
  firstComment: described(z.optional(FirstCommentRequest), aboutFirstComment),
  firstCommentByAccount: described(
    z.optional(commentsByAccount),
    'Comments that replace `firstComment` on single accounts, by the ID of the account; null: no comment there.',
  ),
  externalId: z.optional(ExternalId),
}

export const ValidatePostRequest = z
  .strictObject({
    ...target,
    scheduledAt: described(z.optional(Moment), 'When to publish. Omitted: now.'),
    naturalPosting: described(z.optional(z.boolean()), 'Accepted and ignored.'),
  })
  .register(z.globalRegistry, {
    id: 'ValidatePostRequest',
    description: 'A post to check, in the form of a request to schedule or publish it.',
  })

export const SchedulePostRequest = z
  .strictObject({
    ...target,
    scheduledAt: described(
      Moment,
      'When to publish, RFC 3339 with a time zone: `2026-12-01T09:00:00Z`. In the future, at most five years ahead.',
    ),
    naturalPosting: described(z.optional(z.boolean()), aboutNatural),
  })
  .register(z.globalRegistry, { id: 'SchedulePostRequest', description: 'A post to publish at a later time.' })

export const PublishPostRequest = z
  .strictObject({ ...target, naturalPosting: described(z.optional(z.boolean()), aboutNatural) })
  .register(z.globalRegistry, { id: 'PublishPostRequest', description: 'A post to publish now.' })

export const ReschedulePostRequest = z
  .strictObject({
    scheduledAt: described(
      Moment,
      'When to publish, RFC 3339 with a time zone. In the future, at most five years ahead.',
    ),
    content: described(z.optional(text), 'The new text. Omitted: the text stays.'),
    metadata: described(
      z.optional(metadataBlocks),
      'The new metadata, by platform; replaces the earlier block as a whole. Omitted: the metadata stays.',
    ),
    mediaUrls: described(
      z.optional(references),
      'The new files, in order; replaces the earlier list as a whole. Omitted: the files stay.',
    ),
    firstComment: described(
      z.optional(z.nullable(FirstCommentRequest)),
      'The new first comment; null removes it. Omitted: it stays.',
    ),
  })
  .register(z.globalRegistry, {
    id: 'ReschedulePostRequest',
    description: 'The new time of a post, and what else changes. Omitted fields keep their values.',
  })

/** The fields that all four requests share. */
export type PostRequest = Pick<
  z.infer<typeof ValidatePostRequest>,
  | 'socialAccountIds'
  | 'content'
  | 'metadata'
  | 'mediaUrls'
  | 'platformContent'
  | 'platformMedia'
  | 'firstComment'
  | 'firstCommentByAccount'
  | 'externalId'
>
