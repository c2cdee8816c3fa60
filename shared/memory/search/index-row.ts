import * as z from 'zod/mini'
import { entity } from '../../db/entity.ts'
import { workFields } from '../../db/lease.ts'
import { sweepAt, sweepGraceMs } from '../../db/sweep-at.ts'
import type { Write } from '../../db/table.ts'
import type { Memory } from '../memory.ts'

/**
 * How far the index of a collection has come. The mark says that each memory with an id below it is indexed; memories
 * with a higher id are read from the table. An index can be late, but never wrong: hits are looked up again.
 */
export const MemoryIndex = z.object({
  /** The id of the collection. */
  id: z.string(),
  workspaceId: z.string(),
  ...workFields,
  file: z.optional(z.string()),
  fileMark: z.optional(z.string()),
  fileCount: z.optional(z.number()),
})
export type MemoryIndex = z.infer<typeof MemoryIndex>

export const indexesOf = (workspaceId: string): string => `WS#${workspaceId}#INDEX`

export const memoryIndexes = entity({
  type: 'MemoryIndex',
  shape: MemoryIndex,
  key: ({ workspaceId, id }: Pick<MemoryIndex, 'workspaceId' | 'id'>) => ({ PK: indexesOf(workspaceId), SK: id }),
})

/** A removed memory that the index may still contain. */
export const MemoryRemoval = z.object({
  /** The id of the collection. */
  id: z.string(),
  workspaceId: z.string(),
  memoryId: z.string(),
})
export type MemoryRemoval = z.infer<typeof MemoryRemoval>

export const removalsOf = (workspaceId: string): string => `WS#${workspaceId}#UNINDEX`

export const memoryRemovals = entity({
  type: 'MemoryRemoval',
  shape: MemoryRemoval,
  key: ({ workspaceId, id, memoryId }: MemoryRemoval) => ({ PK: removalsOf(workspaceId), SK: `${id}#${memoryId}` }),
})

/** The write that takes a removed memory out of the index as well, for the transaction that removes it. */
export const removalOf = ({ id: memoryId, workspaceId, collectionId: id }: Memory, nowMs: number): Write => ({
  put: {
    ...memoryRemovals.item({ id, workspaceId, memoryId }),
    ...sweepAt(memoryId, nowMs + sweepGraceMs),
  },
})
