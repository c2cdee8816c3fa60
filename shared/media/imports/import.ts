import * as z from 'zod/mini'
import { enqueueOrSweep } from '../../aws/queue.ts'
import type { Context } from '../../context.ts'
import { entity } from '../../db/entity.ts'
import { sweepAt, sweepGraceMs } from '../../db/sweep-at.ts'
import type { Write } from '../../db/table.ts'

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
  /** Until then a worker has the import, or it waits for its next try. */
  leaseUntilMs: z.optional(z.number()),
  /** When the sweeper looks next; absent once the posts of an ended import know of its end. */
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

/** The message to import-media. */
export const ImportMessage = z.object({ workspaceId: z.string(), assetId: z.string() })
export type ImportMessage = z.infer<typeof ImportMessage>

/** The writes that begin imports, for the transaction with the posts that need the files. */
export const beginImports = (
  workspaceId: string,
  planned: readonly { id: string; url: string }[],
  nowMs: number,
): Write[] =>
  planned.map(({ id, url }) => ({
    put: {
      ...imports.item({ id, workspaceId, sourceUrl: url, status: 'pending', tries: 0 }),
      ...sweepAt(id, nowMs + sweepGraceMs),
    },
  }))

export const enqueueImport = (ctx: Context, body: ImportMessage, delaySeconds = 0): Promise<void> =>
  enqueueOrSweep(ctx, 'import', { body, group: body.workspaceId, delaySeconds })

export const enqueueImports = async (
  ctx: Context,
  workspaceId: string,
  planned: readonly { id: string }[],
): Promise<void> => {
  await Promise.all(planned.map(({ id: assetId }) => enqueueImport(ctx, { workspaceId, assetId })))
}
