import * as z from 'zod/mini'
import { entity } from '../../db/entity.ts'
import { sweepAt } from '../../db/sweep-at.ts'
import type { Write } from '../../db/table.ts'
import type { Memory } from '../memory.ts'

/**
 * How far the indexes of a collection have come. A mark says that each memory with an id below it is indexed; whatever
 * has a higher id is read from the table. Indexes may be late, never wrong: hits are looked up again.
 */
export const MemoryIndex = z.object({
  /** The collection's. */
  id: z.string(),
  workspaceId: z.string(),
  /** Moved by each worker that takes the work, so that one who was thought dead changes nothing. */
  version: z.number(),
  /** One worker at a time; as long as it can be alive. */
  leasedUntilMs: z.optional(z.number()),
  file: z.optional(z.string()),
  fileMark: z.optional(z.string()),
  fileCount: z.optional(z.number()),
  /** The vector index that the mark speaks of: in another one nothing is indexed yet. */
  vectorSpace: z.optional(z.string()),
  vectorMark: z.optional(z.string()),
  /** How many memories there were when all of them were indexed; absent where some were too new. */
  wholeAtCount: z.optional(z.number()),
})
export type MemoryIndex = z.infer<typeof MemoryIndex>

export const indexesOf = (workspaceId: string): string => `WS#${workspaceId}#INDEX`

export const memoryIndexes = entity({
  type: 'MemoryIndex',
  shape: MemoryIndex,
  key: ({ workspaceId, id }: Pick<MemoryIndex, 'workspaceId' | 'id'>) => ({ PK: indexesOf(workspaceId), SK: id }),
})

/** A removed memory that the indexes may still hold. */
export const MemoryRemoval = z.object({
  /** The collection's. */
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

/** The sweeper's first look; removals of one minute are worked off together. */
const sweepGraceMs = 60_000

/** The write that has a removed memory taken out of the indexes too: part of the transaction that removes it. */
export const removalOf = ({ id: memoryId, workspaceId, collectionId: id }: Memory, nowMs: number): Write => ({
  put: {
    ...memoryRemovals.item({ id, workspaceId, memoryId }),
    ...sweepAt(memoryId, nowMs + sweepGraceMs),
  },
})
