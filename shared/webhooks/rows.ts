import type { OwnedRows } from '../db/owned-rows.ts'
import { keysOf } from '../db/partition.ts'
import { deliveries } from './deliveries/lifecycle/row.ts'
import { deliveryWork } from './deliveries/work.ts'
import { drainWork } from './health/work.ts'
import { replaysOf } from './replays/replay.ts'
import { replayWork } from './replays/work.ts'

export const webhookRows: OwnedRows = {
  partitions: (workspaceId) => [replaysOf(workspaceId)],
  children: {
    Endpoint: (ctx, workspaceId, row) =>
      keysOf(ctx, deliveries.key({ workspaceId, endpointId: String(row['id']), id: '' }).PK),
  },
  lastTypes: ['Endpoint'],
}

export const webhookSweepRules = [deliveryWork.sweepRule, drainWork.sweepRule, replayWork.sweepRule]
