import * as z from 'zod/mini'
import { described } from '../http/described.ts'
import { Id } from '../http/id.ts'
import { singleLine } from '../text/single-line.ts'
import { wellFormed } from '../text/well-formed.ts'
import { colors } from './collection.ts'
import { maxTextLength } from './memory.ts'

const CollectionName = z.string().check(z.trim(), z.minLength(1), z.maxLength(100), wellFormed, singleLine)

const hexColor = '#(?:[0-9A-Fa-f]{3,4}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})'

/** Decided: a new collection takes one of the eight names of the specification, or a CSS hex color. */
const NewColor = described(
  z.nullable(
    z.string().check(
      z.regex(new RegExp(`^(?:${colors.join('|')}|${hexColor})$`), {
        error: `must be one of ${colors.join(', ')}, or a CSS hex color, such as #0a7cff`,
      }),
    ),
  ),
  `One of ${colors.join(', ')}, or a CSS hex color.`,
)

/** Decided: a change accepts any color name, as in the specification; pages show the names that they know. */
const Color = described(
  z.nullable(z.string().check(z.trim(), z.minLength(1), z.maxLength(32), wellFormed, singleLine)),
  'A color name or a CSS hex color for your interface, at most 32 characters; null removes it.',
)

export const CreateCollectionRequest = z
  .strictObject({
    name: described(CollectionName, 'The name of the collection, 1 to 100 characters.'),
    color: z.optional(NewColor),
    isPrivate: described(z.optional(z.boolean()), 'Whether only you can see the collection. False by default.'),
  })
  .register(z.globalRegistry, {
    id: 'CreateCollectionRequest',
    description: 'A new collection of memories.',
  })
export type CreateCollectionRequest = z.infer<typeof CreateCollectionRequest>

export const UpdateCollectionRequest = z
  .strictObject({
    name: described(z.optional(CollectionName), 'The new name, 1 to 100 characters.'),
    color: z.optional(Color),
    isPrivate: described(
      z.optional(z.boolean()),
      'Whether only the person who created the collection can see it. Only that person can make it private.',
    ),
  })
  .register(z.globalRegistry, {
    id: 'UpdateCollectionRequest',
    description: 'What changes in a collection. Omitted fields keep their values.',
  })
export type UpdateCollectionRequest = z.infer<typeof UpdateCollectionRequest>

/** Decided: a text is stored exactly as sent, and must not be only white space. */
const Text = z.string().check(
  z.refine((text) => /\S/.test(text), { error: 'must not be blank' }),
  z.maxLength(maxTextLength),
  wellFormed,
)

export const CreateMemoryRequest = z
  .strictObject({
    text: described(Text, 'The text, 1 to 10,000 characters.'),
    collectionId: described(Id, 'The ID of the collection to put it into, `col_…`.'),
  })
  .register(z.globalRegistry, {
    id: 'CreateMemoryRequest',
    description: 'A text to remember.',
  })

export const DeleteMemoryRequest = z
  .strictObject({
    collectionId: described(Id, 'The ID of the collection that the memory is in, `col_…`.'),
    memoryId: described(z.optional(Id), 'The ID of the memory. Optional; must be the one in the path.'),
  })
  .register(z.globalRegistry, {
    id: 'DeleteMemoryRequest',
    description: 'Where the memory is.',
  })
