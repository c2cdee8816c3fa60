import * as z from 'zod/mini'
import { entity } from '../db/entity.ts'

/**
 * Unfinished work on a file: a copy that may have no asset yet, a preview, or a deletion. The sweeper retries it as
 * long as the row exists; once it is a deletion, no completion succeeds.
 */
export const MediaJob = z.object({
  workspaceId: z.string(),
  id: z.string(),
  storageKey: z.string(),
  removing: z.boolean(),
  startedAtMs: z.number(),
  tries: z.number(),
})
export type MediaJob = z.infer<typeof MediaJob>

/** The message to make-preview: the file to work on. */
export const MediaMessage = z.object({ workspaceId: z.string(), assetId: z.string() })
export type MediaMessage = z.infer<typeof MediaMessage>

/** The partition of a workspace's jobs. */
export const jobsPartitionOf = (workspaceId: string): string => `WS#${workspaceId}#MEDIAJOB`

export const jobs = entity({
  type: 'MediaJob',
  shape: MediaJob,
  key: ({ workspaceId, id }: Pick<MediaJob, 'workspaceId' | 'id'>) => ({ PK: jobsPartitionOf(workspaceId), SK: id }),
})

/** Longer than any request runs: an older unfinished job was abandoned. */
export const patienceMs = 60_000
