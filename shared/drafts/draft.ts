import * as z from 'zod/mini'
import { entity } from '../db/entity.ts'
import { described } from '../http/described.ts'
import { tagOf } from '../http/etag.ts'
import { timestamp } from '../http/moment.ts'
import { platformIds } from '../resources.ts'

const platform = z.enum(platformIds)

/** A first comment as a draft stores and shows it. */
const DraftComment = z
  .object({
    text: described(z.string(), 'The text of the comment.'),
    delaySeconds: described(z.optional(z.int()), 'How many seconds after the post it follows; 0 by default.'),
  })
  .register(z.globalRegistry, {
    id: 'DraftComment',
    description: 'A first comment of a draft.',
    examples: [{ text: 'The recipe is on our site.', delaySeconds: 60 }],
  })
const commentsByAccount = z.record(z.string(), z.nullable(DraftComment))

/** A post that is still being written, as stored. Its fields need not be valid. */
export const Draft = z.object({
  id: z.string(),
  workspaceId: z.string(),
  content: z.string(),
  name: z.optional(z.string()),
  socialAccountIds: z.optional(z.array(z.string())),
  selectedPlatforms: z.optional(z.array(platform)),
  /** Ids of assets, in the form in which they were sent. */
  mediaUrls: z.optional(z.array(z.string())),
  platformContent: z.optional(z.partialRecord(platform, z.string())),
  platformMedia: z.optional(z.partialRecord(platform, z.array(z.string()))),
  firstComment: z.optional(DraftComment),
  firstCommentByAccount: z.optional(commentsByAccount),
  /** All metadata blocks as JSON text: the input can be deeper and have more attributes than a row allows. */
  metadata: z.optional(z.string()),
  /** Increases with every change. */
  version: z.int(),
  createdAt: z.string(),
  updatedAt: z.string(),
})
export type Draft = z.infer<typeof Draft>

export const drafts = entity({
  type: 'Draft',
  shape: Draft,
  key: ({ workspaceId, id }: Pick<Draft, 'workspaceId' | 'id'>) => ({ PK: `WS#${workspaceId}#DRAFT`, SK: id }),
})

/**
 * A draft as the API returns it. Fields that are not set are empty, so that a draft can be sent to validate unchanged.
 */
export const DraftView = z
  .object({
    id: described(z.string(), 'The ID of the draft, `drf_…`.'),
    name: described(z.nullable(z.string()), 'A name for your list of drafts; null without one.'),
    content: described(z.string(), 'The text of the post.'),
    socialAccountIds: described(z.array(z.string()), 'The IDs of the accounts that the post is meant for.'),
    selectedPlatforms: described(
      z.array(platform),
      'The platforms that are selected in your editor. The service stores them and does nothing else with them.',
    ),
    mediaUrls: described(
      z.array(z.string()),
      'The files, in order, as they were sent: IDs or URLs of files in the library.',
    ),
    platformContent: described(
      z.partialRecord(platform, z.string()),
      'Texts that replace `content` on single platforms, by platform.',
    ),
    platformMedia: described(
      z.partialRecord(platform, z.array(z.string())),
      'Files that replace `mediaUrls` on single platforms, by platform.',
    ),
    firstComment: described(
      z.optional(DraftComment),
      'The comment that each account writes under its post. Absent without one.',
    ),
    firstCommentByAccount: described(
      z.optional(commentsByAccount),
      'Comments that replace `firstComment` on single accounts, by the ID of the account. Absent without any.',
    ),
    metadata: described(z.record(z.string(), z.unknown()), 'Metadata by platform, as it was sent.'),
    version: described(z.int(), 'Increases with every change. The `ETag` is this number in quotes.'),
    createdAt: timestamp('When the draft was created, in UTC.'),
    updatedAt: timestamp('When the draft was last changed, in UTC.'),
  })
  .register(z.globalRegistry, {
    id: 'Draft',
    description: 'A post that is still being written. Nothing in it need be valid.',
  })
export type DraftView = z.infer<typeof DraftView>

export const viewDraft = (draft: Draft): DraftView => ({
  ...draft,
  name: draft.name ?? null,
  socialAccountIds: draft.socialAccountIds ?? [],
  selectedPlatforms: draft.selectedPlatforms ?? [],
  mediaUrls: draft.mediaUrls ?? [],
  platformContent: draft.platformContent ?? {},
  platformMedia: draft.platformMedia ?? {},
  metadata: draft.metadata === undefined ? {} : JSON.parse(draft.metadata),
})

/** The ETag of a draft. */
export const draftTag = ({ version }: Pick<Draft, 'version'>): string => tagOf(version)
