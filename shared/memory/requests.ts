import * as z from 'zod/mini'
import { Id } from '../http/id.ts'
import { singleLine } from '../text/single-line.ts'
import { wellFormed } from '../text/well-formed.ts'
import { colors } from './collection.ts'
import { maxTextLength } from './memory.ts'

const CollectionName = z.string().check(z.trim(), z.minLength(1), z.maxLength(100), wellFormed, singleLine)

const hexColor = '#(?:[0-9A-Fa-f]{3,4}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})'

/** Decided: one of the eight names of the specification, or a CSS hex color; null removes it. */
const Color = z
  .nullable(
    z.string().check(
      z.regex(new RegExp(`^(?:${colors.join('|')}|${hexColor})$`), {
        error: `must be one of ${colors.join(', ')}, or a CSS hex color, such as #0a7cff`,
      }),
    ),
  )
  .register(z.globalRegistry, { description: `One of ${colors.join(', ')}, or a CSS hex color.` })

export const CreateCollectionRequest = z
  .strictObject({ name: CollectionName, color: z.optional(Color), isPrivate: z.optional(z.boolean()) })
  .register(z.globalRegistry, {
    id: 'CreateCollectionRequest',
    examples: [{ name: 'Customer voices', color: 'teal', isPrivate: false }],
  })
export type CreateCollectionRequest = z.infer<typeof CreateCollectionRequest>

export const UpdateCollectionRequest = z
  .strictObject({
    name: z.optional(CollectionName),
    color: z.optional(Color),
    isPrivate: z.optional(z.boolean()),
  })
  .register(z.globalRegistry, {
    id: 'UpdateCollectionRequest',
    examples: [{ name: 'What customers say', color: null }],
  })
export type UpdateCollectionRequest = z.infer<typeof UpdateCollectionRequest>

/** Decided: a text is stored as it was sent, and must not be only white space. */
const Text = z.string().check(
  z.refine((text) => /\S/.test(text), { error: 'must not be blank' }),
  z.maxLength(maxTextLength),
  wellFormed,
)

export const CreateMemoryRequest = z.strictObject({ text: Text, collectionId: Id }).register(z.globalRegistry, {
  id: 'CreateMemoryRequest',
  examples: [
    {
      text: 'Most customers ask first whether the bread is baked on the day.',
      collectionId: 'col_01KAJ2M6Q8Z3V5T7W9Y1B3D5F7',
    },
  ],
})

export const DeleteMemoryRequest = z
  .strictObject({ collectionId: Id, memoryId: z.optional(Id) })
  .register(z.globalRegistry, {
    id: 'DeleteMemoryRequest',
    examples: [{ collectionId: 'col_01KAJ2M6Q8Z3V5T7W9Y1B3D5F7' }],
  })
