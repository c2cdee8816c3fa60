import * as z from 'zod/mini'
import { entity } from '../db/entity.ts'
import { described } from '../http/described.ts'
import { timestamp } from '../http/moment.ts'

/** Decided: the maximum length of a memory in characters. */
export const maxTextLength = 10_000

/** A stored text. It is written once and removed, never changed. */
export const Memory = z.object({
  id: z.string(),
  workspaceId: z.string(),
  collectionId: z.string(),
  text: z.string(),
  createdBy: z.string(),
  createdAt: z.string(),
})
export type Memory = z.infer<typeof Memory>

/** The partition of the memories of one collection; their ids are time-ordered. */
export const memoriesOf = (workspaceId: string, collectionId: string): string => `WS#${workspaceId}#MEM#${collectionId}`

export const memories = entity({
  type: 'Memory',
  shape: Memory,
  key: ({ workspaceId, collectionId, id }: Pick<Memory, 'workspaceId' | 'collectionId' | 'id'>) => ({
    PK: memoriesOf(workspaceId, collectionId),
    SK: id,
  }),
})

/** A memory as the API shows it. */
export const MemoryView = z
  .object({
    id: described(z.string(), 'The ID of the memory, `mem_…`.'),
    collectionId: described(z.string(), 'The ID of its collection, `col_…`.'),
    text: described(z.string(), 'The text as it was sent.'),
    createdBy: described(z.string(), 'The ID of the person who created the memory.'),
    createdAt: timestamp('When the memory was created, in UTC.'),
  })
  .register(z.globalRegistry, {
    id: 'Memory',
    description: 'A text in a collection.',
  })

export const viewMemory = (memory: Memory): z.infer<typeof MemoryView> => memory
