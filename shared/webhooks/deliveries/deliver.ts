import type { Context } from '../../context.ts'
import { wasCurrent } from '../../db/condition-failed.ts'
import { absent } from '../../db/expression.ts'
import { batchGet, put } from '../../db/table.ts'
import type { DeliverMessage } from '../../events/outbox.ts'
import { enqueueRelay, markRelayed, type OutboxRow, outbox } from '../../events/outbox.ts'
import { pausesIn, pausesKey } from '../../pauses/pauses.ts'
import { type Workspace, workspaces } from '../../workspaces/workspace.ts'
import { endpoints, type WebhookEndpoint } from '../endpoints/endpoint.ts'
import { type Health, healths } from '../health/row.ts'
import { stateOf } from '../health/state.ts'
import { drainWork } from '../health/work.ts'
import { attemptDelivery } from './attempt.ts'
import { scheduleEndsMs } from './lifecycle/next-step.ts'
import { type Delivery, deliveries, firstAttempts, outboxIdOf } from './lifecycle/row.ts'
import { closeWithoutAttempt, letDrainFind, parkDelivery } from './lifecycle/writes.ts'
import { deliveryWork } from './work.ts'

/** Whether a delivery is deferred, because of its endpoint's state when it was created. */
const mustDefer = (health: Health, { createdAt, cause, step }: Delivery): boolean => {
  // A delivery that a user requested is sent in any state: its outcome shows the state of the endpoint.
  if (health.state === 'active' || cause === 'test' || (cause === 'redelivery' && step === 1)) return false
  const state = stateOf(health)
  return state.kind !== 'recovering' || Date.parse(createdAt) <= state.sinceMs
}

/** Leaves a delivery to the drain of an endpoint that is failing, recovering, or slow. */
const deferDelivery = async (
  ctx: Context,
  endpoint: WebhookEndpoint,
  health: Health,
  delivery: Delivery,
): Promise<void> => {
  const now = ctx.clock.now()
  if (health.state === 'failing') {
    const isOver = now >= delivery.firstAtMs + scheduleEndsMs
    return isOver ? closeWithoutAttempt(ctx, delivery, 'exhausted') : parkDelivery(ctx, health, delivery)
  }
  const isNew = await letDrainFind(ctx, delivery)
  // A running step may have already read the waiting deliveries, and the index may not show a new one immediately.
  const isLeased = health.leaseUntilMs !== undefined && health.leaseUntilMs > now
  await drainWork.enqueue(ctx, endpoint, isNew || isLeased ? 1 : 0)
}

/** Everything that an attempt needs, in one read. */
const read = async (ctx: Context, { workspaceId, endpointId, deliveryId: id }: DeliverMessage) => {
  const key = { workspaceId, endpointId, id }
  const outboxKey = { workspaceId, id: outboxIdOf(id) }
  const endpointKey = { workspaceId, id: endpointId }
  const workspaceKey = { id: workspaceId }
  const rows = await batchGet(ctx, [
    deliveries.key(key),
    endpoints.key(endpointKey),
    healths.key(endpointKey),
    workspaces.key(workspaceKey),
    outbox.key(outboxKey),
    pausesKey,
  ])
  const delivery = deliveries.from(rows, key)
  const row = outbox.from(rows, outboxKey)
  return {
    delivery,
    endpoint: endpoints.from(rows, endpointKey),
    health: healths.from(rows, endpointKey),
    workspace: workspaces.from(rows, workspaceKey),
    isPaused: pausesIn(ctx, rows)({ workspaceId }),
    row,
  }
}

/**
 * The first attempt of an event that has no row yet; undefined if the event is settled. If the subscribed endpoints have
 * changed since the message was sent, the relay takes over.
 */
const firstOf = async (ctx: Context, row: OutboxRow, workspace: Workspace, message: DeliverMessage) => {
  if (row.sweepAtMs === undefined) return undefined
  const [first, ...others] = firstAttempts(row, workspace, ctx.clock.now())
  if (first?.id === message.deliveryId && first.endpointId === message.endpointId && others.length === 0) return first
  await enqueueRelay(ctx, row.workspaceId, row.id)
  return undefined
}

/** Writes the row of a delivery that cannot be attempted now; false if another worker has written it. */
const store = async (ctx: Context, row: OutboxRow, delivery: Delivery): Promise<boolean> => {
  const { put: item } = deliveryWork.beginWrite(delivery, ctx.clock.now())
  const isOurs = await wasCurrent(put(ctx, item, absent('PK')))
  await markRelayed(ctx, row)
  return isOurs
}

/**
 * Makes one attempt, logs it, and plans the next one in the same transaction; or leaves it to the drain of its endpoint. A
 * first attempt without a row takes no lease: a message that arrives twice at the same time is sent twice, with the same ID.
 */
export const deliver = async (ctx: Context, message: DeliverMessage): Promise<void> => {
  const { delivery: stored, endpoint, health, workspace, row, isPaused } = await read(ctx, message)
  const delivery = stored ?? (row && workspace && (await firstOf(ctx, row, workspace, message)))
  if (!delivery || !workspace || delivery.status !== 'pending' || isPaused) return
  const event = row?.events[delivery.eventIndex]
  // Decided: a test is sent to a disabled endpoint as well, so that it can be tried before it is enabled.
  const open = endpoint && !endpoint.deletedAt && (endpoint.enabled || delivery.cause === 'test')
  const isDeferred = health !== undefined && mustDefer(health, delivery)
  if (stored === undefined && row && (!open || isDeferred) && !(await store(ctx, row, delivery))) return
  if (!open || !event) return closeWithoutAttempt(ctx, delivery, 'discarded')
  if (isDeferred) return deferDelivery(ctx, endpoint, health, delivery)
  const { correlationId } = row ?? {}
  const isStored = stored !== undefined
  await attemptDelivery(ctx, { workspace, endpoint, health, delivery, event, correlationId, isStored })
  if (!isStored) await markRelayed(ctx, row)
}
