import * as z from 'zod/mini'
import { sweepRule } from '../db/sweep-rule.ts'
import type { DeliverMessage } from './deliveries/enqueue.ts'
import type { DrainMessage } from './health/enqueue-drain.ts'
import { replayWork } from './replays/work.ts'

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
