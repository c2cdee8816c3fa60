import * as z from 'zod/mini'
import type { OwnedRows } from '../db/owned-rows.ts'
import { keysOf } from '../db/partition.ts'
import { sweepRule } from '../db/sweep-rule.ts'
import type { DeliverMessage } from './deliveries/enqueue.ts'
import { deliveries } from './deliveries/lifecycle/row.ts'
import type { DrainMessage } from './health/enqueue-drain.ts'
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

export const webhookSweepRules = [
  sweepRule({
    type: 'Delivery',
    shape: z.object({ workspaceId: z.string(), endpointId: z.string(), id: z.string() }),
    message: ({ workspaceId, endpointId, id: deliveryId }) => {
      const body: DeliverMessage = { workspaceId, endpointId, deliveryId }
      return { queue: 'deliver', body, group: workspaceId }
    },
  }),
  sweepRule({
    type: 'EndpointHealth',
    shape: z.object({ workspaceId: z.string(), id: z.string() }),
    message: ({ workspaceId, id: endpointId }) => {
      const body: DrainMessage = { workspaceId, endpointId }
      return { queue: 'drain', body, group: workspaceId }
    },
  }),
  replayWork.sweepRule,
]
