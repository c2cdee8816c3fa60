import { orLeaveToSweeper } from '../../aws/queue.ts'
import type { Context } from '../../context.ts'
import { absent, allOf, anyOf, atMost, begins, equal } from '../../db/expression.ts'
import { isLost } from '../../db/lost.ts'
import { sweepAt } from '../../db/sweep-at.ts'
import { query, transact, type Write } from '../../db/table.ts'
import { Refusal } from '../../errors/refusal.ts'
import { expiryOf } from '../../events/retention.ts'
import type { IdempotencyWrites } from '../../http/idempotency-writes.ts'
import { type Delivery, deliveries, maxAttempts, pendingDelivery } from './delivery.ts'
import { enqueueDeliveries } from './enqueue.ts'

const sweepGraceMs = 60_000

/** More races than one request can lose against an attempt that fails and others who ask for the same. */
const maxTries = 10

/** The newest attempt of the same event at the same endpoint: if any is pending, it is this one. */
const newestOf = async (ctx: Context, delivery: Delivery): Promise<Delivery> => {
  const ofEvent = begins('SK', delivery.id.slice(0, -2))
  const key = allOf(equal('PK', deliveries.key(delivery).PK), ofEvent)
  const { items } = await query(ctx, { key, limit: 1, newestFirst: true })
  const [newest] = items.map(deliveries.parse)
  return newest ?? delivery
}

/** An attempt that waits for its time goes out now, with all tries before it again. */
const pullForward = (waiting: Delivery, nowMs: number, ttl: number) => {
  const nextAttemptAt = new Date(nowMs).toISOString()
  const changed = { cause: 'redelivery', step: 1, firstAtMs: nowMs, nextAttemptAt, ttl } as const
  const free = anyOf(absent('leaseUntilMs'), atMost('leaseUntilMs', nowMs))
  const write: Write = {
    update: deliveries.key(waiting),
    change: { set: { ...changed, ...sweepAt(waiting.id, nowMs + sweepGraceMs) } },
    when: allOf(equal('status', 'pending'), free),
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
  const write: Write = {
    put: { ...deliveries.item(row), ...sweepAt(row.id, nowMs + sweepGraceMs) },
    when: absent('PK'),
  }
  return { row, write }
}

/** What a redelivery comes to, as things stand; of an attempt that is being made just now nothing is to be written. */
const planFor = (ctx: Context, newest: Delivery): { row: Delivery; write?: Write } => {
  const now = ctx.clock.now()
  if (newest.status !== 'pending') return makeAnother(newest, now, expiryOf(ctx))
  const atWork = newest.leaseUntilMs !== undefined && newest.leaseUntilMs > now
  return atWork ? { row: newest } : pullForward(newest, now, expiryOf(ctx))
}

/**
 * Delivers the event of an attempt once more, at once and with all tries of the schedule; there is never more than one
 * pending attempt of an event at an endpoint.
 */
export const redeliver = async (
  ctx: Context,
  delivery: Delivery,
  idempotencyWrites: IdempotencyWrites,
): Promise<Delivery> => {
  if (delivery.cause === 'test') {
    throw new Refusal('conflict', 'A test delivery cannot be redelivered. Send a new test.', {
      code: 'test_not_redeliverable',
    })
  }
  for (let tries = 1; tries <= maxTries; tries += 1) {
    const { row, write } = planFor(ctx, await newestOf(ctx, delivery))
    const writes = [...(write ? [write] : []), ...idempotencyWrites(row)]
    try {
      if (writes.length > 0) await transact(ctx, () => writes)
      if (write) await orLeaveToSweeper(ctx, { deliveryId: row.id }, () => enqueueDeliveries(ctx, [row]))
      return row
    } catch (error) {
      // Somebody else has sent it, logged it or asked for it meanwhile; any other loss is that of a repeated request.
      if (write === undefined || !isLost(error)) throw error
    }
  }
  throw new Refusal('conflict', 'The attempts of this event changed during the request. Try again.', {
    code: 'concurrent_update',
  })
}
