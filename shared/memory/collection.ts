import * as z from 'zod/mini'
import { entity } from '../db/entity.ts'
import { described } from '../http/described.ts'
import { timestamp } from '../http/moment.ts'

/** The colors of the specification. */
export const colors = ['red', 'orange', 'yellow', 'green', 'teal', 'blue', 'purple', 'pink'] as const

/** A named group of memories, as stored. */
export const Collection = z.object({
  id: z.string(),
  workspaceId: z.string(),
  name: z.string(),
  color: z.nullable(z.string()),
  /** Only the person who created it can see it and its memories. */
  isPrivate: z.boolean(),
  createdBy: z.string(),
  /** Changed in the transaction that creates or removes a memory, which writes this row anyway. */
  memoryCount: z.number(),
  createdAt: z.string(),
  updatedAt: z.string(),
  /** Set by the deletion: from then on, the collection is invisible while its memories are removed. */
  deletedAtMs: z.optional(z.number()),
})
export type Collection = z.infer<typeof Collection>

/** The partition of all collections of a workspace. */
export const collectionsOf = (workspaceId: string): string => `WS#${workspaceId}#COLLECTIONS`

export const collections = entity({
  type: 'Collection',
  shape: Collection,
  key: ({ workspaceId, id }: Pick<Collection, 'workspaceId' | 'id'>) => ({ PK: collectionsOf(workspaceId), SK: id }),
})

/** Whether a person can see a collection: it exists, and is not another person's private one. */
export const isVisible = ({ isPrivate, createdBy, deletedAtMs }: Collection, userId: string): boolean =>
  deletedAtMs === undefined && (!isPrivate || createdBy === userId)

/** The color of a collection as the API shows it. */
export const CollectionColor = described(
  z.nullable(z.string()),
  'A color name or CSS hex color for your interface; null without one.',
)

/** A collection as the API shows it. */
export const CollectionView = z
  .object({
    id: described(z.string(), 'The ID of the collection, `col_…`.'),
    name: described(z.string(), 'The name of the collection.'),
    color: CollectionColor,
    isPrivate: described(z.boolean(), 'Whether only the person who created the collection can see it.'),
    memoryCount: described(z.int(), 'The number of memories in the collection.'),
    createdBy: described(z.string(), 'The ID of the person who created the collection.'),
    createdAt: timestamp('When the collection was created, in UTC.'),
    updatedAt: timestamp('When name, color, or privacy last changed, in UTC.'),
  })
  .register(z.globalRegistry, {
    id: 'MemoryCollection',
    description: 'A named group of memories.',
  })

export const viewCollection = (collection: Collection): z.infer<typeof CollectionView> => collection
