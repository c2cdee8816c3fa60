import type { OwnedRows } from '../db/owned-rows.ts'
import { keysOf } from '../db/partition.ts'
import { deliveries } from './deliveries/lifecycle/row.ts'
import { replaysOf } from './replays/replay.ts'

export const webhookRows: OwnedRows = {
  partitions: (workspaceId) => [replaysOf(workspaceId)],
  children: {
    Endpoint: (ctx, workspaceId, row) =>
      keysOf(ctx, deliveries.key({ workspaceId, endpointId: String(row['id']), id: '' }).PK),
  },
  lastTypes: ['Endpoint'],
}
