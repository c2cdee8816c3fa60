import * as z from 'zod/mini'
import { sendAll } from '../../aws/queue.ts'
import type { Context } from '../../context.ts'
import type { Delivery } from './lifecycle/row.ts'

/** The message to deliver-webhook: one attempt. */
export const DeliverMessage = z.object({ workspaceId: z.string(), endpointId: z.string(), deliveryId: z.string() })
export type DeliverMessage = z.infer<typeof DeliverMessage>

/**
 * Enqueues deliveries, with a delay if one is given. Each endpoint is one group of the fair queue, so that the backlog
 * of one endpoint does not delay the others.
 */
export const enqueueDeliveries = (
  ctx: Context,
  due: readonly Pick<Delivery, 'workspaceId' | 'endpointId' | 'id'>[],
  delaySeconds = 0,
): Promise<void> =>
  sendAll(
    ctx,
    'deliver',
    due.map(({ workspaceId, endpointId, id }) => {
      const body: DeliverMessage = { workspaceId, endpointId, deliveryId: id }
      return { body, group: endpointId, delaySeconds }
    }),
  )
