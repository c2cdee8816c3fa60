import type { Context } from '../../context.ts'
import { batchGet } from '../../db/table.ts'
import { outbox } from '../../events/outbox.ts'
import { workspaces } from '../../workspaces/workspace.ts'
import { endpoints } from '../endpoints/endpoint.ts'
import { healths } from '../health/row.ts'
import { attemptDelivery } from './attempt.ts'
import { deferDelivery, mustDefer } from './defer.ts'
import type { DeliverMessage } from './enqueue.ts'
import { closeWithoutAttempt } from './lifecycle/close.ts'
import { deliveries, outboxIdOf } from './lifecycle/row.ts'

/** Everything that an attempt needs, in one read. */
const read = async (ctx: Context, { workspaceId, endpointId, deliveryId: id }: DeliverMessage) => {
  const key = { workspaceId, endpointId, id }
  const outboxKey = { workspaceId, id: outboxIdOf(id) }
  const endpointKey = { workspaceId, id: endpointId }
  const workspaceKey = { id: workspaceId }
  const found = await batchGet(ctx, [
    deliveries.key(key),
    endpoints.key(endpointKey),
    healths.key(endpointKey),
    workspaces.key(workspaceKey),
    outbox.key(outboxKey),
  ])
  const delivery = deliveries.from(found, key)
  return {
    delivery,
    endpoint: endpoints.from(found, endpointKey),
    health: healths.from(found, endpointKey),
    workspace: workspaces.from(found, workspaceKey),
    event: delivery && outbox.from(found, outboxKey)?.events[delivery.eventIndex],
  }
}

/**
 * Makes one attempt, logs it, and plans the next one in the same transaction; or leaves it to the drain of its
 * endpoint.
 */
export const deliver = async (ctx: Context, message: DeliverMessage): Promise<void> => {
  const { delivery, endpoint, health, workspace, event } = await read(ctx, message)
  if (!delivery || !workspace || delivery.status !== 'pending') return
  // Decided: a test is sent to a disabled endpoint as well, so that it can be tried before it is enabled.
  const open = endpoint && !endpoint.deletedAt && (endpoint.enabled || delivery.cause === 'test')
  if (!open || !event) return closeWithoutAttempt(ctx, delivery, 'discarded')
  if (health && mustDefer(health, delivery)) return deferDelivery(ctx, endpoint, health, delivery)
  await attemptDelivery(ctx, { workspace, endpoint, health, delivery, event })
}
