import { countsOf } from '../db/counters.ts'
import type { OwnedRows } from '../db/owned-rows.ts'
import { keysOf } from '../db/partition.ts'
import { collectionsOf } from './collection.ts'
import { memoriesOf } from './memory.ts'
import { indexesOf, removalsOf } from './search/index-row.ts'

export const memoryRows: OwnedRows = {
  partitions: (workspaceId) => [indexesOf(workspaceId), removalsOf(workspaceId), countsOf(workspaceId, 'COLLECTION')],
  parents: (workspaceId) => [collectionsOf(workspaceId)],
  children: {
    Collection: (ctx, workspaceId, row) => keysOf(ctx, memoriesOf(workspaceId, String(row['id']))),
  },
  lastTypes: ['Collection'],
}
