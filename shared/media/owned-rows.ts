import { countKeysOf } from '../db/counters.ts'
import type { OwnedRows } from '../db/owned-rows.ts'
import { assets } from './asset.ts'
import { importsPartitionOf } from './imports/import.ts'
import { jobsPartitionOf } from './job.ts'
import { usesPartitionOf } from './media-use.ts'

export const mediaRows: OwnedRows = {
  keys: (workspaceId) => countKeysOf(workspaceId, 'MEDIA'),
  partitions: (workspaceId) => [
    assets.key({ workspaceId, id: '' }).PK,
    usesPartitionOf(workspaceId),
    jobsPartitionOf(workspaceId),
    importsPartitionOf(workspaceId),
  ],
}
