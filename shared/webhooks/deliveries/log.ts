import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { allOf, between, type Condition, equal } from '../../db/expression.ts'
import { assertCursorOrOffset, type PageRequest } from '../../db/list.ts'
import { type Item, query } from '../../db/table.ts'
import { Refusal } from '../../errors/refusal.ts'
import { cursorOfEvent } from '../../events/event.ts'
import { isExpired } from '../../events/outbox.ts'
import { type EventType, eventTypes } from '../../events/types.ts'
import { described } from '../../http/described.ts'
import { Id } from '../../http/id.ts'
import { Moment, msOf } from '../../http/moment.ts'
import { cursorLike, pageOf, pageQuery, wholeNumber } from '../../http/page.ts'
import { lowestUlid } from '../../ids.ts'
import { deliveryIdForm } from './find.ts'
import { type Delivery, deliveries, deliveryStatuses } from './lifecycle/row.ts'
import { DeliveryView, viewDelivery } from './view.ts'

/** How many attempts are counted for `total` at least. */
const countedAhead = 200
/** The most rows to read for a page when few match the filter; `nextCursor` continues after them. */
const maxRowsRead = 1000
/** The same with an offset. */
const maxRowsReadByOffset = 5000
const maxOffset = 4000
const rowsPerQuery = 500

/** A filter of a log; `since` and `until` refer to the times of the events. */
export interface DeliveryFilter extends PageRequest {
  status?: (typeof deliveryStatuses)[number] | undefined
  eventType?: EventType | undefined
  eventId?: string | undefined
  since?: string | undefined
  until?: string | undefined
}

/**
 * Decided: a log is not counted, because it can be long and its rows expire. `total` is exact if `totalIsExact` says so
 * (up to 200 attempts), and otherwise the number of attempts known so far.
 */
export const DeliveryPage = z.extend(pageOf(DeliveryView), {
  totalIsExact: described(z.boolean(), 'Whether `total` is exact. It is, up to 200 attempts.'),
})

/** The ids that a page can show; undefined if there are none. */
const keyOf = (workspaceId: string, endpointId: string, filter: DeliveryFilter): Condition | undefined => {
  const { eventId, since, until, cursor } = filter
  if (since !== undefined && until !== undefined && msOf(since) > msOf(until)) {
    throw new Refusal('invalid', '"until" must not be before "since".', { code: 'invalid_input', field: 'until' })
  }
  const lower = ['dlv_', ...(since === undefined ? [] : [`dlv_${lowestUlid(msOf(since))}`])]
  // No id contains a tilde: every id with that prefix sorts below.
  const upper = ['dlv_~', ...(until === undefined ? [] : [`dlv_${lowestUlid(msOf(until) + 1)}`])]
  if (eventId !== undefined) {
    const eventCursor = cursorOfEvent(eventId)
    if (eventCursor === undefined) return undefined
    const lowestId = `dlv_${eventCursor}`
    lower.push(lowestId)
    upper.push(`${lowestId}~`)
  }
  if (cursor !== undefined) upper.push(cursor)
  const [from, to] = [lower.toSorted().at(-1) ?? '', upper.toSorted().at(0) ?? '']
  if (from > to) return undefined
  const { PK } = deliveries.key({ workspaceId, endpointId, id: '' })
  return allOf(equal('PK', PK), between('SK', from, to))
}

interface Scan {
  key: Condition
  fits: (row: Delivery) => boolean
  /** How many matching rows are enough. */
  count: number
  /** The most rows to read in total, and by one query. */
  maxRows: number
  perQuery: number
}

/** Matching rows, newest first, and whether all rows were read; `last` is the id of the last row that was read. */
const scan = async (ctx: Context, { key, fits, count, maxRows, perQuery }: Scan) => {
  const rows: Delivery[] = []
  let [read, unreadable] = [0, 0]
  let last: string | undefined
  let after: Item | undefined
  do {
    const page = await query(ctx, { key, newestFirst: true, limit: perQuery, ...(after ? { after } : {}) })
    const looked = deliveries.readable(ctx, page.items)
    rows.push(...looked.filter(fits))
    read += page.items.length
    unreadable += page.items.length - looked.length
    last = page.items.length === 0 ? last : String(page.items.at(-1)?.['SK'])
    after = page.next
  } while (after !== undefined && rows.length < count && read < maxRows)
  return { rows, last, isWhole: after === undefined, unreadable }
}

const nothing = { rows: [], last: undefined, isWhole: true, unreadable: 0 }

/** The attempts of one endpoint, newest event first; a page costs the same at any depth of its cursor. */
export const listDeliveries = async (
  ctx: Context,
  workspaceId: string,
  endpointId: string,
  filter: DeliveryFilter,
): Promise<z.infer<typeof DeliveryPage>> => {
  assertCursorOrOffset(filter)
  const { status, eventType, cursor, limit, offset } = filter
  const fits = (row: Delivery) =>
    row.id !== cursor &&
    !isExpired(ctx, row) &&
    (status === undefined || row.status === status) &&
    (eventType === undefined || row.eventType === eventType)
  const isFiltered = status !== undefined || eventType !== undefined
  const count = offset + Math.max(limit, countedAhead) + 1
  const key = keyOf(workspaceId, endpointId, filter)
  const maxRows = offset > 0 ? maxRowsReadByOffset : maxRowsRead
  // The row at the cursor is read as well.
  const perQuery = isFiltered ? rowsPerQuery : count + 1
  const { rows, last, isWhole, unreadable } = key ? await scan(ctx, { key, fits, count, maxRows, perQuery }) : nothing
  const items = rows.slice(offset, offset + limit).map(viewDelivery)
  const isMoreKnown = rows.length > offset + limit
  const hasMore = isMoreKnown || !isWhole
  const nextCursor = isMoreKnown ? items.at(-1)?.id : last
  const totalIsExact = isWhole && cursor === undefined
  const left = unreadable > 0 ? { unreadable } : {}
  const page = { items, total: rows.length, totalIsExact, limit, offset, hasMore, ...left }
  return hasMore && nextCursor !== undefined ? { ...page, nextCursor } : page
}

const moment = z.optional(Moment)

/** The query of an endpoint's log. Decided: an offset skips at most 4,000 attempts; cursors reach all. */
export const ListDeliveriesQuery = z.strictObject({
  status: described(z.optional(z.enum(deliveryStatuses)), 'Only attempts with this status.'),
  eventType: described(z.optional(z.enum(eventTypes)), 'Only events of this type.'),
  eventId: described(z.optional(Id), 'Only attempts of the event with this ID, `evt_…`.'),
  since: described(moment, 'Only events at this time or later, RFC 3339 with a time zone.'),
  until: described(moment, 'Only events at this time or earlier, RFC 3339 with a time zone.'),
  cursor: cursorLike(deliveryIdForm),
  limit: pageQuery.limit,
  offset: described(
    wholeNumber(0, maxOffset, 0),
    'How many attempts to skip, at most 4,000. Use `cursor` to go further.',
  ),
})
