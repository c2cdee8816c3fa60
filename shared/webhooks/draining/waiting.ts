import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { equal } from '../../db/expression.ts'
import { batchGet, type Item, query } from '../../db/table.ts'
import type { Event } from '../../events/event.ts'
import { outbox } from '../../events/outbox.ts'
import { indexes } from '../../resources.ts'
import { type Delivery, deliveries, waitingKey } from '../deliveries/delivery.ts'
import type { Health } from '../health/row.ts'

/** What the index of waiting deliveries shows of a row (infra, index `waiting`). */
const Waiting = z.object({ id: z.string(), nextAttemptAt: z.string(), createdAt: z.string() })
type Waiting = z.infer<typeof Waiting>

/** The attributes that the index of waiting deliveries projects beside its keys. */
export const waitingAttributes: readonly string[] = Object.keys(Waiting.shape).filter(
  (name) => name !== indexes.waiting.sort,
)

/** Which of what waits is wanted. */
interface WaitingFilter {
  count: number
  /** Due by then; whatever its time where it is absent. */
  dueMs?: number
  /** There by then. */
  madeByMs?: number
}

const perPage = 1000
const maxPages = 5

const isBy = (time: string, byMs = Number.POSITIVE_INFINITY) => Date.parse(time) <= byMs

/** Ids of what waits for an endpoint, oldest event first. */
const idsOf = async (ctx: Context, { workspaceId, id }: Health, wanted: WaitingFilter): Promise<string[]> => {
  const isWanted = ({ nextAttemptAt, createdAt }: Waiting) =>
    isBy(nextAttemptAt, wanted.dueMs) && isBy(createdAt, wanted.madeByMs)
  const ids: string[] = []
  let after: Item | undefined
  for (let pages = 0; pages < maxPages; pages += 1) {
    const key = equal('waitingKey', waitingKey(workspaceId, id))
    const page = await query(ctx, { index: 'waiting', key, limit: perPage, ...(after ? { after } : {}) })
    const rows = page.items.map((item) => z.parse(Waiting, item))
    ids.push(...rows.filter(isWanted).map((row) => row.id))
    after = page.next
    if (ids.length >= wanted.count || after === undefined) break
  }
  return ids.slice(0, wanted.count)
}

/** A delivery that waits; without its event where that has expired. */
export interface WaitingDelivery {
  delivery: Delivery
  event: Event | undefined
}

/**
 * What waits for an endpoint, oldest event first, and is not being sent. The index may lag behind the table, so the rows
 * are looked at themselves.
 */
export const readWaiting = async (ctx: Context, health: Health, wanted: WaitingFilter): Promise<WaitingDelivery[]> => {
  const { workspaceId, id: endpointId } = health
  // Some of them may be on their way, or gone since.
  const ids = await idsOf(ctx, health, { ...wanted, count: 2 * wanted.count })
  const now = ctx.clock.now()
  const keys = ids.map((id) => ({ workspaceId, endpointId, id }))
  const found = await batchGet(ctx, keys.map(deliveries.key))
  const free = keys
    .flatMap((key) => deliveries.from(found, key) ?? [])
    .filter(({ status, leaseUntilMs = 0 }) => status === 'pending' && leaseUntilMs <= now)
    .slice(0, wanted.count)
  const outboxKeyOf = ({ outboxId: id }: Delivery) => ({ workspaceId, id })
  const told = await batchGet(
    ctx,
    free.map((row) => outbox.key(outboxKeyOf(row))),
  )
  return free.map((delivery) => ({
    delivery,
    event: outbox.from(told, outboxKeyOf(delivery))?.events[delivery.eventIndex],
  }))
}
