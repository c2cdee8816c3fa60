import * as z from 'zod/mini'
import { work } from '../../db/work.ts'
import type { DeliverMessage } from '../../events/outbox.ts'
import { timeoutSecondsOf } from '../../resources.ts'
import { deliveries } from './lifecycle/row.ts'
import { notEnded } from './lifecycle/state.ts'

/**
 * A delivery is sent once: the next attempt is another row. Each endpoint is one group of the fair queue, so that the
 * backlog of one endpoint does not delay the others.
 */
export const deliveryWork = work({
  entity: deliveries,
  queue: 'deliver',
  // The drain sends deliveries, too.
  timeoutSeconds: timeoutSecondsOf.drain,
  open: notEnded,
  ref: z.object({ workspaceId: z.string(), endpointId: z.string(), id: z.string() }),
  message: ({ workspaceId, endpointId, id: deliveryId }) => {
    const body: DeliverMessage = { workspaceId, endpointId, deliveryId }
    return { body, group: endpointId }
  },
})
