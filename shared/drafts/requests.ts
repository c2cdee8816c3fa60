import * as z from 'zod/mini'
import { Id } from '../http/id.ts'
import {
  accountIds,
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
const maxBytes = { content: 200_000, platformContent: 120_000, metadata: 40_000 }

const atMostBytes = <T>(most: number, textOf: (value: T) => string) =>
  z.refine<T>((value) => Buffer.byteLength(textOf(value)) <= most, {
    error: `must have at most ${most} bytes in UTF-8`,
  })

const Content = text.check(atMostBytes(maxBytes.content, (content) => content))

// Null clears a field, so that a draft can be sent back as it was read.
const fields = {
  name: z.nullish(z.string().check(z.maxLength(200), wellFormed, singleLine)),
  socialAccountIds: z.nullish(accountIds),
  selectedPlatforms: z.nullish(z.array(z.enum(platformIds)).check(z.maxLength(platformIds.length))),
  mediaUrls: z.nullish(references),
  platformContent: z.nullish(
    platformTexts.check(atMostBytes(maxBytes.platformContent, (texts) => Object.values(texts).join(''))),
  ),
  platformMedia: z.nullish(platformReferences),
  // Decided: a draft stores the metadata that its posts will need.
  metadata: z.nullish(metadataBlocks.check(atMostBytes(maxBytes.metadata, (blocks) => JSON.stringify(blocks)))),
}

const example = { content: 'We are live!', name: 'Launch', selectedPlatforms: ['bluesky'] }

export const CreateDraftRequest = z
  .strictObject({ content: Content, ...fields })
  .register(z.globalRegistry, { id: 'CreateDraftRequest', examples: [example] })
export type CreateDraftRequest = z.infer<typeof CreateDraftRequest>

export const UpdateDraftRequest = z
  .strictObject({ id: z.optional(Id), content: z.optional(Content), ...fields })
  .register(z.globalRegistry, { id: 'UpdateDraftRequest', examples: [{ content: 'We are live now!', name: null }] })
export type UpdateDraftRequest = z.infer<typeof UpdateDraftRequest>
