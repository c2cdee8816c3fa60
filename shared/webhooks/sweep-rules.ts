import * as z from 'zod/mini'
import { sweepRule } from '../db/sweep-rule.ts'
import type { DeliverMessage } from './deliveries/enqueue.ts'
import type { DrainMessage } from './health/enqueue-drain.ts'
import type { ReplayMessage } from './replays/lease.ts'

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
  sweepRule({
    type: 'Replay',
    shape: z.object({ workspaceId: z.string(), id: z.string() }),
    message: ({ workspaceId, id: replayId }) => {
      const body: ReplayMessage = { workspaceId, replayId }
      return { queue: 'replay', body, group: workspaceId }
    },
  }),
]
