import * as z from 'zod/mini'
import { described } from '../../http/described.ts'
import { Id } from '../../http/id.ts'

export const TranscribeRequest = z
  .strictObject({
    mediaId: described(Id, 'A video of the workspace.'),
    language: described(
      z.optional(
        z.string().check(z.regex(/^[a-z]{2,3}(-[A-Z]{2})?$/, { error: 'must be a language tag such as "en-US"' })),
      ),
      'The language of the speech. It is identified without this field.',
    ),
  })
  .register(z.globalRegistry, {
    id: 'TranscribeRequest',
    description: 'A video whose speech to transcribe.',
  })
export type TranscribeRequest = z.infer<typeof TranscribeRequest>

/** The content types of a recording that is sent as the body. */
export const speechTypes = [
  ...['audio/mpeg', 'audio/mp4', 'audio/wav', 'audio/flac', 'audio/ogg', 'audio/webm', 'video/mp4', 'video/webm'],
] as const

/**
 * Decided: the largest recording that is sent as the body. Lambda accepts 6 MB of payload, and API Gateway sends bytes in
 * base64, which is a third longer (Lambda guide, "Quotas").
 */
export const maxSpeechBytes = 4_500_000
