import * as z from 'zod/mini'
import { described } from '../../http/described.ts'
import { Moment } from '../../http/moment.ts'
import { ExternalId, FirstCommentRequest, metadataBlocks, references, text } from '../intake/requests.ts'

export const UpdatePostRequest = z
  .strictObject({
    content: z.optional(described(text, 'The new text. The rules of the platform of the post apply.')),
    mediaUrls: z.optional(
      described(
        z.nullable(references),
        'The new files in their order, at most 50: media IDs, URLs of the media host, storage keys, or at most 10 public https addresses. Null or [] removes all.',
      ),
    ),
    metadata: z.optional(
      described(
        z.nullable(metadataBlocks),
        'The new metadata, under the name of the platform. It replaces the earlier block as a whole; null removes it.',
      ),
    ),
    firstComment: z.optional(described(z.nullable(FirstCommentRequest), 'The new first comment; null removes it.')),
    scheduledAt: z.optional(
      described(
        Moment,
        'The new time, RFC 3339 with a time zone, in the future and at most five years ahead. Required for a failed post.',
      ),
    ),
    externalId: z.optional(
      described(z.nullable(ExternalId), 'Your own ID of the post, 1 to 200 characters; null removes it.'),
    ),
  })
  .register(z.globalRegistry, {
    id: 'UpdatePostRequest',
    description: 'The fields of a post to change. An absent field keeps its value.',
  })
