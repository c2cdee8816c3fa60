import * as z from 'zod/mini'
import type { OwnedRows } from '../db/owned-rows.ts'
import { sweepRule } from '../db/sweep-rule.ts'
import { assets } from './asset.ts'
import { importsPartitionOf } from './imports/import.ts'
import { importWork } from './imports/work.ts'
import { jobsPartitionOf, type MediaMessage } from './job.ts'
import { usesPartitionOf } from './media-file.ts'
import { refundStorage, storageKeys } from './storage.ts'

export const mediaRows: OwnedRows = {
  keys: storageKeys,
  refund: refundStorage,
  partitions: (workspaceId) => [
    assets.key({ workspaceId, id: '' }).PK,
    usesPartitionOf(workspaceId),
    jobsPartitionOf(workspaceId),
    importsPartitionOf(workspaceId),
  ],
}

export const mediaSweepRules = [
  sweepRule({
    type: 'MediaJob',
    shape: z.object({ workspaceId: z.string(), id: z.string() }),
    message: ({ workspaceId, id: assetId }) => {
      const body: MediaMessage = { workspaceId, assetId }
      return { queue: 'preview', body, group: workspaceId }
    },
  }),
  importWork.sweepRule,
]
