import * as z from 'zod/mini'
import { imageTypes, videoTypes } from '../../media/types.ts'
import { codePoints } from '../counting.ts'
import type { PlatformCard } from '../platform.ts'

const maxFileBytes = 10 * 1024 * 1024
export const maxTotalBytes = 25 * 1024 * 1024 - 64 * 1024

/** The block `metadata.discord` (spec, Post metadata); other keys are kept. */
export const DiscordMetadata = z.looseObject({
  channelId: z.string().check(z.regex(/^\d{17,20}$/, { error: 'must be the id of a channel: 17 to 20 digits' })),
  channelName: z.optional(z.string()),
})

/** Discord's rules: the specification's, and the size of one file in a server without boosts. */
export const card: PlatformCard = {
  id: 'discord',
  name: 'Discord',
  rules: {
    measures: [
      {
        max: 2000,
        unit: 'characters',
        counting: 'code points',
        count: codePoints,
        source: 'Create Message, content, 2026-08-06; discord-api-docs issue 1315',
      },
    ],
    media: [
      {
        min: 0,
        max: 10,
        image: { max: 10, types: imageTypes, maxBytes: maxFileBytes },
        video: { max: 10, types: videoTypes, maxBytes: maxFileBytes },
        mixed: true,
        // The whole request may have 25 MiB; the rest of it is text.
        maxTotalBytes,
        source: 'Uploading Files, 2026-08-06; spec, media rules',
      },
    ],
    metadata: { schema: DiscordMetadata, required: true, source: 'spec, Post metadata' },
    emptyText: 'with media',
  },
}
