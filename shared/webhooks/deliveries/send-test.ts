import type * as z from 'zod/mini'
import { orLeaveToSweeper } from '../../aws/queue.ts'
import type { Context } from '../../context.ts'
import { sweepAt, sweepGraceMs } from '../../db/sweep-at.ts'
import { transact } from '../../db/table.ts'
import { eventExample } from '../../events/catalog.ts'
import { eventIdAt } from '../../events/cursor.ts'
import { makeEvent } from '../../events/event.ts'
import { outbox } from '../../events/outbox.ts'
import { expiryOf } from '../../events/retention.ts'
import { ulid } from '../../ids.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import type { Endpoint } from '../endpoints/endpoint.ts'
import { enqueueDeliveries } from './enqueue.ts'
import { pendingDelivery } from './lifecycle/plan.ts'
import { deliveries } from './lifecycle/row.ts'
import { countTestDelivery } from './limit-tests.ts'
import { type DeliveryView, viewDelivery } from './view.ts'

/** Sends a test event of a subscribed type through the real delivery pipeline. A test is never retried. */
export const sendTest = async (
  ctx: Context,
  workspace: Workspace,
  endpoint: Endpoint,
): Promise<z.infer<typeof DeliveryView>> => {
  await countTestDelivery(ctx, endpoint)
  const now = ctx.clock.now()
  const outboxId = ulid(now)
  const [type = 'post.published'] = endpoint.events
  const place = { id: eventIdAt(outboxId, 0), sequence: 1, previousEventId: undefined }
  const event = makeEvent(type, workspace, now, place, { ...eventExample(type), test: true })
  const ttl = expiryOf(ctx)
  const row = { id: outboxId, workspaceId: workspace.id, events: [event], ttl }
  const of = { workspaceId: workspace.id, endpointId: endpoint.id, outboxId, eventIndex: 0, eventId: event.id }
  const delivery = pendingDelivery(
    { ...of, eventType: type, attempt: 1, step: 1, firstAtMs: now, cause: 'test', ttl },
    now,
    now,
  )
  await transact(ctx, () => [
    // Never relayed to other endpoints: the row has no sweep time.
    { put: outbox.item(row) },
    { put: { ...deliveries.item(delivery), ...sweepAt(delivery.id, now + sweepGraceMs) } },
  ])
  await orLeaveToSweeper(ctx, { deliveryId: delivery.id }, () => enqueueDeliveries(ctx, [delivery]))
  return viewDelivery(delivery)
}
