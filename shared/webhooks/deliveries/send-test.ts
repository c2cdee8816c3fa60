import type * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { transact } from '../../db/table.ts'
import { Refusal } from '../../errors/refusal.ts'
import { eventExample } from '../../events/catalog.ts'
import { eventIdAt, makeEvent } from '../../events/event.ts'
import { expiryOf, outbox } from '../../events/outbox.ts'
import { ulid } from '../../ids.ts'
import { countCall, logNotCounted, rateLimitUnavailable } from '../../limits/count.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import type { WebhookEndpoint } from '../endpoints/endpoint.ts'
import { pendingDelivery } from './lifecycle/row.ts'
import { type DeliveryView, viewDelivery } from './view.ts'
import { deliveryWork } from './work.ts'

/**
 * The limit of tests of one endpoint. The receiver may belong to anyone, so a test that cannot be counted is rejected.
 */
const limit = { calls: 10, perSeconds: 60 }

/** Counts a test of an endpoint, for all callers together, or rejects it. */
const countTestDelivery = async (ctx: Context, { id }: WebhookEndpoint): Promise<void> => {
  const state = await countCall(ctx, `webhook-test#${id}`, limit).catch((error: unknown) => {
    logNotCounted(ctx, { limit: 'webhook-test' }, error)
    throw rateLimitUnavailable()
  })
  if (state.passes) return
  const text = `A webhook endpoint accepts ${limit.calls} tests a minute. Retry after the seconds in Retry-After.`
  throw new Refusal('limited', text, { code: 'rate_limited', retryAfterSeconds: state.retryAfterSeconds })
}

/** Sends a test event of a subscribed type through the real delivery pipeline. A test is never retried. */
export const sendTest = async (
  ctx: Context,
  workspace: Workspace,
  endpoint: WebhookEndpoint,
): Promise<z.infer<typeof DeliveryView>> => {
  await countTestDelivery(ctx, endpoint)
  const now = ctx.clock.now()
  const outboxId = ulid(now)
  const [type = 'post.published'] = endpoint.events
  const position = { id: eventIdAt(outboxId, 0), sequence: 1, previousEventId: undefined }
  const event = makeEvent(type, workspace, now, position, { ...eventExample(type), test: true })
  const ttl = expiryOf(ctx)
  const row = { id: outboxId, workspaceId: workspace.id, events: [event], ttl, correlationId: ctx.correlationId }
  const of = { workspaceId: workspace.id, endpointId: endpoint.id, outboxId, eventIndex: 0, eventId: event.id }
  const delivery = pendingDelivery(
    { ...of, eventType: type, attempt: 1, step: 1, firstAtMs: now, cause: 'test', ttl },
    now,
    now,
  )
  await transact(ctx, () => [
    // Never relayed to other endpoints: the row has no sweep time.
    { put: outbox.item(row) },
    deliveryWork.beginWrite(delivery, now),
  ])
  await deliveryWork.enqueue(ctx, delivery)
  return viewDelivery(delivery)
}
