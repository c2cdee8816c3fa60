import * as z from 'zod/mini'
import { imageTypes, maxImageBytes } from '../../media/types.ts'
import { codePoints, limitedText } from '../counting.ts'
import type { PlatformDefinition } from '../definition.ts'

const maxDescription = 800
const apiSource = 'pinterest/api-description 5.23.0, PinCreate, 2025-12-11'

const link = z
  .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
  .check(z.maxLength(2048, { error: 'must have at most 2048 characters' }))

/** The block `metadata.pinterest`; other keys are kept. */
export const PinterestMetadata = z.looseObject({
  boardId: z.string().check(z.regex(/^\d+$/, { error: 'must be the id of a board, in digits' })),
  title: limitedText(100, codePoints),
  description: limitedText(maxDescription, codePoints),
  boardName: z.optional(z.string()),
  link: z.optional(link),
})

/** Pinterest's rules: one image on a board. */
export const definition: PlatformDefinition = {
  id: 'pinterest',
  name: 'Pinterest',
  rules: {
    measures: [
      { max: maxDescription, unit: 'characters', counting: 'code points', count: codePoints, source: apiSource },
    ],
    textField: 'description',
    media: [
      {
        min: 1,
        max: 1,
        image: {
          max: 1,
          types: imageTypes,
          maxBytes: maxImageBytes,
          sent: { types: ['image/jpeg', 'image/png', 'image/webp', 'image/gif'], maxBytes: 20_000_000 },
        },
        mixed: false,
        source: 'limit of this service: exactly one image; Pinterest Help, 20 MB, 2026-11-21',
      },
    ],
    metadata: { schema: PinterestMetadata, required: true, source: `fields of this service; ${apiSource}` },
    // The image is the Pin.
    emptyText: 'with media',
  },
}
