import * as z from 'zod/mini'
import { countsOf } from '../db/counters.ts'
import type { OwnedRows } from '../db/owned-rows.ts'
import { keysOf } from '../db/partition.ts'
import { sweepRule } from '../db/sweep-rule.ts'
import { collectionsOf } from './collection.ts'
import { memoriesOf } from './memory.ts'
import type { CollectionPurge } from './purge-collection.ts'
import { indexesOf, removalsOf } from './search/index-row.ts'
import { indexWork, removalSweepRule } from './search/index-work.ts'

export const memoryRows: OwnedRows = {
  partitions: (workspaceId) => [indexesOf(workspaceId), removalsOf(workspaceId), countsOf(workspaceId, 'COLLECTION')],
  parents: (workspaceId) => [collectionsOf(workspaceId)],
  children: {
    Collection: (ctx, workspaceId, row) => keysOf(ctx, memoriesOf(workspaceId, String(row['id']))),
  },
  lastTypes: ['Collection'],
}

export const memorySweepRules = [
  sweepRule({
    type: 'Collection',
    shape: z.object({ workspaceId: z.string(), id: z.string() }),
    message: ({ workspaceId, id: collectionId }) => {
      const body: CollectionPurge = { workspaceId, collectionId }
      return { queue: 'purge', body, group: workspaceId }
    },
  }),
  indexWork.sweepRule,
  removalSweepRule,
]
