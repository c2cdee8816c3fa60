import * as z from 'zod/mini'
import { entity } from '../../db/entity.ts'
import { workFields } from '../../db/lease.ts'

/**
 * Decided: a file at an address has no asset before it is stored, so that every file of the library can be used.
 * A file that is fetched from an address. It has the ID that the asset gets: the asset exists once the file is fetched,
 * inspected, and stored.
 */
export const MediaImport = z.object({
  id: z.string(),
  workspaceId: z.string(),
  sourceUrl: z.string(),
  status: z.enum(['pending', 'ready', 'failed']),
  /** Why the last try failed, in one sentence. */
  error: z.optional(z.string()),
  tries: z.int(),
  ...workFields,
  /** When the sweeper runs next; absent once the posts of an ended import have its result. */
  sweepAtMs: z.optional(z.number()),
})
export type MediaImport = z.infer<typeof MediaImport>

/** The partition of a workspace's imports. */
export const importsPartitionOf = (workspaceId: string): string => `WS#${workspaceId}#IMPORT`

export const imports = entity({
  type: 'MediaImport',
  shape: MediaImport,
  key: ({ workspaceId, id }: Pick<MediaImport, 'workspaceId' | 'id'>) => ({
    PK: importsPartitionOf(workspaceId),
    SK: id,
  }),
})
