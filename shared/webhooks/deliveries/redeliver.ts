import type * as z from 'zod/mini'
import type { Actor } from '../../audit/actor.ts'
import { commit, type Unit } from '../../commit/commit.ts'
import type { Context } from '../../context.ts'
import { conditionFailed } from '../../db/condition-failed.ts'
import { absent, allOf, begins, equal } from '../../db/expression.ts'
import { type Retries, retryOnConflict } from '../../db/retry-on-conflict.ts'
import { query, type Write } from '../../db/table.ts'
import { Refusal } from '../../errors/refusal.ts'
import { expiryOf } from '../../events/outbox.ts'
import { type Delivery, deliveries, maxAttempts, pendingDelivery } from './lifecycle/row.ts'
import { isPending, stateOf } from './lifecycle/state.ts'
import { deliveryLifecycle } from './lifecycle/transitions.ts'
import { type DeliveryView, viewDelivery } from './view.ts'
import { deliveryWork } from './work.ts'

/** The attempt was sent, logged, or redelivered in the meantime. */
const redeliveryRetries: Retries = {
  tries: 10,
  refusal: () =>
    new Refusal('conflict', 'The attempts of this event changed during the request. Try again.', {
      code: 'concurrent_update',
    }),
  isLost: (error) => conditionFailed(error, 'delivery'),
}

/** The newest attempt of the same event at the same endpoint; a pending attempt is always the newest. */
const newestOf = async (ctx: Context, delivery: Delivery): Promise<Delivery> => {
  const ofEvent = begins('SK', delivery.id.slice(0, -2))
  const key = allOf(equal('PK', deliveries.key(delivery).PK), ofEvent)
  const { items } = await query(ctx, { key, limit: 1, newestFirst: true })
  const [newest] = items.map(deliveries.parse)
  return newest ?? delivery
}

/** Makes a waiting attempt due now, with all tries of the schedule again. */
const reschedule = (waiting: Delivery, nowMs: number, ttl: number) => {
  const nextAttemptAt = new Date(nowMs).toISOString()
  const changed = { cause: 'redelivery', step: 1, firstAtMs: nowMs, nextAttemptAt, ttl } as const
  const write: Write = {
    update: deliveries.key(waiting),
    change: deliveryLifecycle.change('reschedule', {
      set: { ...changed, ...deliveryWork.swept(waiting.id, nowMs) },
    }),
    when: isPending(nowMs),
  }
  return { row: { ...waiting, ...changed }, write }
}

const makeAnother = (newest: Delivery, nowMs: number, ttl: number) => {
  if (newest.attempt >= maxAttempts) {
    throw new Refusal('conflict', `The maximum of ${maxAttempts} attempts for this event and endpoint is reached.`, {
      code: 'delivery_attempt_limit',
    })
  }
  const { replayId: _, ...of } = newest
  const planned = { ...of, attempt: newest.attempt + 1, step: 1, firstAtMs: nowMs, cause: 'redelivery', ttl } as const
  const row = pendingDelivery(planned, nowMs, nowMs)
  const write: Write = { ...deliveryWork.beginWrite(row, nowMs), when: absent('PK') }
  return { row, write }
}

/** The write of a redelivery; none if the attempt is being sent right now. */
const planFor = (ctx: Context, newest: Delivery): { row: Delivery; write?: Write } => {
  const now = ctx.clock.now()
  switch (stateOf(newest, now).kind) {
    case 'sending':
      return { row: newest }
    case 'pending':
      return reschedule(newest, now, expiryOf(ctx))
    default:
      return makeAnother(newest, now, expiryOf(ctx))
  }
}

/**
 * Delivers the event of an attempt again, immediately and with all tries of the schedule. An event never has more than one
 * pending attempt at an endpoint.
 */
export const redeliver = async (ctx: Context, delivery: Delivery, by: Actor): Promise<z.infer<typeof DeliveryView>> => {
  if (delivery.cause === 'test') {
    throw new Refusal('conflict', 'A test delivery cannot be redelivered. Send a new test.', {
      code: 'test_not_redeliverable',
    })
  }
  return retryOnConflict(redeliveryRetries, async () => {
    const { row, write } = planFor(ctx, await newestOf(ctx, delivery))
    const { workspaceId, id, endpointId, eventId } = row
    const target = { type: 'webhook_delivery', id } as const
    const change: Unit = write
      ? {
          writes: [{ ...write, as: 'delivery' }],
          audit: { by, action: 'webhook_delivery.redelivered', target, after: { endpointId, eventId } },
        }
      : { writes: [] }
    const view = viewDelivery(row)
    await commit(ctx, { id: workspaceId }, { ...change, response: { data: view } })
    if (write) await deliveryWork.enqueue(ctx, row)
    return view
  })
}
