import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { equal } from '../../db/expression.ts'
import { batchGet, type Item, query } from '../../db/table.ts'
import type { Event } from '../../events/event.ts'
import { outbox } from '../../events/outbox.ts'
import { indexes } from '../../resources.ts'
import { type Delivery, deliveries, waitingKey } from '../deliveries/lifecycle/row.ts'
import type { Health } from '../health/row.ts'

/** The attributes of a row in the index of waiting deliveries (infra, index `waiting`). */
const Waiting = z.object({ id: z.string(), nextAttemptAt: z.string(), createdAt: z.string() })
type Waiting = z.infer<typeof Waiting>

/** The attributes that the index of waiting deliveries projects in addition to its keys. */
export const waitingAttributes: readonly string[] = Object.keys(Waiting.shape).filter(
  (name) => name !== indexes.waiting.sort,
)

/** Which waiting deliveries to read. */
interface WaitingFilter {
  count: number
  /** Due by this time; any time if absent. */
  dueMs?: number
  /** Created by this time. */
  createdByMs?: number
}

const perPage = 1000
const maxPages = 5

const isBy = (time: string, byMs = Number.POSITIVE_INFINITY) => Date.parse(time) <= byMs

/** The ids of the waiting deliveries of an endpoint, oldest event first. */
const idsOf = async (
  ctx: Context,
  { workspaceId, id: endpointId }: Health,
  filter: WaitingFilter,
): Promise<string[]> => {
  const isIncluded = ({ nextAttemptAt, createdAt }: Waiting) =>
    isBy(nextAttemptAt, filter.dueMs) && isBy(createdAt, filter.createdByMs)
  const ids: string[] = []
  let after: Item | undefined
  for (let pages = 0; pages < maxPages; pages += 1) {
    const key = equal('waitingKey', waitingKey({ workspaceId, endpointId }))
    const page = await query(ctx, { index: 'waiting', key, limit: perPage, ...(after ? { after } : {}) })
    const rows = page.items.map((item) => z.parse(Waiting, item))
    ids.push(...rows.filter(isIncluded).map((row) => row.id))
    after = page.next
    if (ids.length >= filter.count || after === undefined) break
  }
  return ids.slice(0, filter.count)
}

/** A waiting delivery; without its event if that has expired. */
export interface WaitingDelivery {
  delivery: Delivery
  event: Event | undefined
  /** The API call that led to the event. */
  correlationId: string | undefined
}

/**
 * The waiting deliveries of an endpoint that are not being sent, oldest event first. The index can lag behind the
 * table, so the rows themselves decide.
 */
export const readWaiting = async (ctx: Context, health: Health, filter: WaitingFilter): Promise<WaitingDelivery[]> => {
  const { workspaceId, id: endpointId } = health
  // Some of them may be in flight, or already sent.
  const ids = await idsOf(ctx, health, { ...filter, count: 2 * filter.count })
  const now = ctx.clock.now()
  const keys = ids.map((id) => ({ workspaceId, endpointId, id }))
  const deliveryRows = await batchGet(ctx, keys.map(deliveries.key))
  const free = keys
    .flatMap((key) => deliveries.from(deliveryRows, key) ?? [])
    .filter(({ status, leaseUntilMs = 0 }) => status === 'pending' && leaseUntilMs <= now)
    .slice(0, filter.count)
  const outboxKeyOf = ({ outboxId: id }: Delivery) => ({ workspaceId, id })
  const rows = await batchGet(
    ctx,
    free.map((row) => outbox.key(outboxKeyOf(row))),
  )
  return free.map((delivery) => {
    const { events = [], correlationId } = outbox.from(rows, outboxKeyOf(delivery)) ?? {}
    return { delivery, event: events[delivery.eventIndex], correlationId }
  })
}
