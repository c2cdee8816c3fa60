import * as z from 'zod/mini'
import { Moment } from '../../http/moment.ts'
import { platformIds } from '../../resources.ts'
import { wellFormed } from '../../text/well-formed.ts'

/** The most accounts of one request (pipeline rule 8, shared/README.md). */
export const maxAccounts = 45
const maxMedia = 50

export const text = z.string().check(z.maxLength(100_000), wellFormed)
export const references = z
  .array(z.string().check(z.minLength(1), z.maxLength(500), wellFormed))
  .check(z.maxLength(maxMedia))
export const accountIds = z
  .array(z.string().check(z.minLength(1), z.maxLength(100), wellFormed))
  .check(z.maxLength(maxAccounts))
export const metadataBlocks = z.record(z.string(), z.unknown())
const platform = z.enum(platformIds)
export const platformTexts = z.partialRecord(platform, text)
export const platformReferences = z.partialRecord(platform, references)

const target = {
  socialAccountIds: accountIds.check(z.minLength(1)),
  content: text,
  metadata: z.optional(metadataBlocks),
  mediaUrls: z.optional(references),
  // Decided: one request can carry per-platform text and media, as drafts do.
  platformContent: z.optional(platformTexts),
  platformMedia: z.optional(platformReferences),
}

export const ValidatePostRequest = z
  .strictObject({ ...target, scheduledAt: z.optional(z.unknown()), naturalPosting: z.optional(z.unknown()) })
  .register(z.globalRegistry, { id: 'ValidatePostRequest' })

export const SchedulePostRequest = z
  .strictObject({ ...target, scheduledAt: Moment, naturalPosting: z.optional(z.boolean()) })
  .register(z.globalRegistry, { id: 'SchedulePostRequest' })

export const PublishPostRequest = z
  .strictObject({ ...target, naturalPosting: z.optional(z.boolean()) })
  .register(z.globalRegistry, { id: 'PublishPostRequest' })

export const ReschedulePostRequest = z
  .strictObject({
    scheduledAt: Moment,
    content: z.optional(text),
    metadata: z.optional(metadataBlocks),
    mediaUrls: z.optional(references),
  })
  .register(z.globalRegistry, { id: 'ReschedulePostRequest' })

/** The fields that all four requests share. */
export type PostRequest = Pick<
  z.infer<typeof ValidatePostRequest>,
  'socialAccountIds' | 'content' | 'metadata' | 'mediaUrls' | 'platformContent' | 'platformMedia'
>
