import * as z from 'zod/mini'
import { described } from '../http/described.ts'
import { Id } from '../http/id.ts'
import {
  accountIds,
  commentsByAccount,
  FirstCommentRequest,
  metadataBlocks,
  platformReferences,
  platformTexts,
  references,
  text,
} from '../posts/intake/requests.ts'
import { platformIds } from '../resources.ts'
import { singleLine } from '../text/single-line.ts'
import { wellFormed } from '../text/well-formed.ts'

/**
 * Decided: the maximum of bytes in each part of a draft. Together with the references, which are bounded by their
 * number, they fit into one row of 400 KB, so that no two concurrent changes can outgrow it.
 */
const maxBytes = {
  content: 200_000,
  platformContent: 120_000,
  metadata: 40_000,
  firstComment: 10_000,
  firstCommentByAccount: 8_000,
}

const atMostBytes = <T>(max: number, textOf: (value: T) => string) =>
  z.refine<T>((value) => Buffer.byteLength(textOf(value)) <= max, {
    error: `must have at most ${max} bytes in UTF-8`,
  })

const Content = text.check(atMostBytes(maxBytes.content, (content) => content))

const Metadata = metadataBlocks
  .check(atMostBytes(maxBytes.metadata, (blocks) => JSON.stringify(blocks)))
  .register(z.globalRegistry, { id: 'DraftMetadata' })

// Null clears a field, so that a draft can be sent back as returned.
const fields = {
  name: described(
    z.nullish(z.string().check(z.maxLength(200), wellFormed, singleLine)),
    'A name for your list of drafts, at most 200 characters.',
  ),
  socialAccountIds: described(z.nullish(accountIds), 'The IDs of the accounts that the post is meant for, at most 45.'),
  selectedPlatforms: described(
    z.nullish(z.array(z.enum(platformIds)).check(z.maxLength(platformIds.length))),
    'The platforms that are selected in your editor. The service stores them and does nothing else with them.',
  ),
  mediaUrls: described(
    z.nullish(references),
    'The files, in order: IDs (`med_…`) or URLs of files in the library, at most 50.',
  ),
  platformContent: described(
    z.nullish(platformTexts.check(atMostBytes(maxBytes.platformContent, (texts) => Object.values(texts).join('')))),
    'Texts that replace `content` on single platforms, by platform. At most 120,000 bytes together.',
  ),
  platformMedia: described(
    z.nullish(platformReferences),
    'Files that replace `mediaUrls` on single platforms, by platform.',
  ),
  firstComment: described(
    z.nullish(FirstCommentRequest.check(atMostBytes(maxBytes.firstComment, ({ text }) => text))),
    'The comment that each account writes under its post. The text has at most 10,000 bytes.',
  ),
  firstCommentByAccount: described(
    z.nullish(
      commentsByAccount.check(atMostBytes(maxBytes.firstCommentByAccount, (comments) => JSON.stringify(comments))),
    ),
    'Comments that replace `firstComment` on single accounts, by the ID of the account. At most 8,000 bytes as JSON.',
  ),
  // Decided: a draft stores the metadata that its posts will need.
  metadata: described(z.nullish(Metadata), 'Metadata by platform, at most 40,000 bytes.'),
}

export const CreateDraftRequest = z
  .strictObject({
    content: described(Content, 'The text. May be empty, and longer than platforms accept; at most 200,000 bytes.'),
    ...fields,
  })
  .register(z.globalRegistry, {
    id: 'CreateDraftRequest',
    description: 'A new draft. Only `content` is required.',
  })
export type CreateDraftRequest = z.infer<typeof CreateDraftRequest>

export const UpdateDraftRequest = z
  .strictObject({
    id: described(z.optional(Id), 'The ID of the draft. Optional; must be the one in the path.'),
    content: described(z.optional(Content), 'The new text, at most 200,000 bytes.'),
    ...fields,
  })
  .register(z.globalRegistry, {
    id: 'UpdateDraftRequest',
    description: 'What changes in a draft. Omitted fields keep their values, and null clears a field.',
  })
export type UpdateDraftRequest = z.infer<typeof UpdateDraftRequest>
