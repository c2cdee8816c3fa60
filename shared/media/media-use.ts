import type { Write } from '../db/table.ts'

const keptSeconds = 30 * 86_400

/** The partition of the uses of all assets of a workspace. */
export const usesPartitionOf = (workspaceId: string): string => `WS#${workspaceId}#USE`

/** The prefix of an asset's use rows: one per group, or rescheduled post, that uses it. */
export const usePrefix = (assetId: string): string => `${assetId}#`

/**
 * The writes that store which assets a group of posts uses, until a month after its time. `owner` is the group, or the
 * one post of it that was rescheduled: it gets a separate row, so that no row of the group expires too early.
 */
export const recordMediaUse = (
  workspaceId: string,
  owner: string,
  media: readonly { id: string }[],
  dueMs: number,
): Write[] =>
  [...new Set(media.map(({ id }) => id))].map((id) => ({
    put: {
      PK: usesPartitionOf(workspaceId),
      SK: `${usePrefix(id)}${owner}`,
      type: 'MediaUse',
      ttl: Math.ceil(dueMs / 1000) + keptSeconds,
    },
  }))
