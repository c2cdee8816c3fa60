import * as z from 'zod/mini'
import type { Context } from '../context.ts'
import { allOf, between, type Condition, equal } from '../db/expression.ts'
import { type BatchRows, type Item, type Key, query } from '../db/table.ts'
import { Refusal } from '../errors/refusal.ts'
import { described } from '../http/described.ts'
import { unreadable } from '../http/page.ts'
import { lowestUlid } from '../ids.ts'
import { cursorOfEvent, Event, eventCursor, outboxIdInCursor } from './event.ts'
import { isExpired, type OutboxRow, outbox, retentionMs } from './outbox.ts'
import type { EventType } from './types.ts'

/**
 * Younger events are not listed yet. An event gets its position before its transaction commits, and the commit happens at
 * the latest when the function is stopped: 60 s after its start, for the functions that end posts and renew credentials
 * (test/webhooks/held-back.fault.ts). The rest covers a write in flight and clock skew. Therefore no event appears before a
 * position that was already read.
 */
export const visibilityDelayMs = 90_000

/** A Query returns 1 MB at most, so the response stays below the limit of a function. */
const maxQueries = 4

/** With a filter, the query reads rows that it does not return. */
const rowsWhenFiltered = 500

/**
 * Decided: no totals and no offset, because the log never ends; `nextCursor` is set whenever there is a position to
 * continue from.
 */
export const EventLogPage = z.object({
  items: described(z.array(Event), 'The events of this page, oldest first.'),
  hasMore: described(z.boolean(), 'Whether there are more events now. If true, continue immediately.'),
  nextCursor: described(
    z.nullable(z.string()),
    'Send it as `cursor` to continue, also later; null before the first event.',
  ),
  unreadable,
})

export interface EventLogRequest {
  after?: string | undefined
  cursor?: string | undefined
  types?: readonly EventType[] | undefined
  workspaces?: 'own' | 'all' | undefined
  /** Reads which of some events to list; all if absent. */
  select?: ((events: readonly Event[]) => Promise<ReadonlySet<Event>>) | undefined
  limit: number
}

/** The row that an event is in; none if no event can have this id. */
const keyOfEvent = (workspaceId: string, eventId: string | undefined) => {
  const cursor = eventId === undefined ? undefined : cursorOfEvent(eventId)
  return cursor === undefined ? [] : [{ workspaceId, id: outboxIdInCursor(cursor) }]
}

/** The key of the row with the event `after`. */
export const afterKeys = (workspaceId: string, { after }: Pick<EventLogRequest, 'after'>): Key[] =>
  keyOfEvent(workspaceId, after).map(outbox.key)

/** The position after which the page starts; undefined if it starts with the oldest event. */
const startOf = (ctx: Context, workspaceId: string, rows: BatchRows, { after, cursor }: EventLogRequest) => {
  if (after === undefined) return cursor
  if (cursor !== undefined) {
    throw new Refusal('invalid', '"after" and "cursor" cannot be combined. Send one of them.', {
      code: 'invalid_input',
      field: 'after',
    })
  }
  const [row] = keyOfEvent(workspaceId, after).map((key) => outbox.from(rows, key))
  if (row && !isExpired(ctx, row) && row.events.some(({ id }) => id === after)) return cursorOfEvent(after)
  const text = `The event ${after} was not found or has expired. Pass your last "nextCursor" as "cursor", or neither to start with the oldest event.`
  throw new Refusal('missing', text, { code: 'event_not_found', field: 'after' })
}

/** Events with their positions, in the order of their rows. */
const eventsOf = (ctx: Context, rows: readonly OutboxRow[]) =>
  rows
    .flatMap((row) => row.events.map((event, index) => ({ row, event, cursor: eventCursor(row.id, index) })))
    .map(({ row, event, cursor }) => ({ event, cursor, shown: isVisible(ctx, row, event) }))

/** Tests of endpoints are not events of the workspace. */
const isVisible = (ctx: Context, row: OutboxRow, event: Event) => !isExpired(ctx, row) && event.data['test'] !== true

/** Rows from the one in which the page starts to the last visible one. */
const rangeOf = (ctx: Context, workspaceId: string, start: string | undefined): Condition | undefined => {
  const now = ctx.clock.now()
  const { PK } = outbox.key({ workspaceId, id: '' })
  const oldest = lowestUlid(now - retentionMs(ctx))
  const [from, to] = [
    start !== undefined && outboxIdInCursor(start) > oldest ? outboxIdInCursor(start) : oldest,
    lowestUlid(now - visibilityDelayMs),
  ]
  if (from > to) return undefined
  return allOf(equal('PK', PK), between('SK', from, to))
}

/** The events of a workspace, oldest first: all that can be delivered, whether or not an endpoint is subscribed. */
export const listEventLog = async (
  ctx: Context,
  workspaceId: string,
  rows: BatchRows,
  request: EventLogRequest,
): Promise<z.infer<typeof EventLogPage>> => {
  const { types, limit, workspaces = 'own', select } = request
  const start = startOf(ctx, workspaceId, rows, request)
  const key = rangeOf(ctx, workspaceId, start)
  const items: Event[] = []
  let nextCursor = start ?? null
  let leftOut = 0
  const pageWith = (hasMore: boolean) => ({
    items,
    hasMore,
    nextCursor,
    ...(leftOut > 0 ? { unreadable: leftOut } : {}),
  })
  let after: Item | undefined
  for (let queries = 0; key !== undefined && queries < maxQueries; queries += 1) {
    const rows = types || select ? rowsWhenFiltered : limit + 1
    const page = await query(ctx, { key, limit: rows, ...(after ? { after } : {}) })
    const readable = outbox.readable(ctx, page.items)
    leftOut += page.items.length - readable.length
    const read = eventsOf(ctx, readable).map(({ event, cursor, shown }) => {
      const isListed = workspaces === 'all' || event.workspace.id === workspaceId
      return { event, cursor, fits: shown && isListed && (types === undefined || types.includes(event.type)) }
    })
    const selected = await select?.(read.filter(({ fits }) => fits).map(({ event }) => event))
    for (const { event, cursor, fits } of read) {
      if (start !== undefined && cursor <= start) continue
      const included = fits && (selected === undefined || selected.has(event))
      if (included && items.length === limit) return pageWith(true)
      if (included) items.push(event)
      nextCursor = cursor
    }
    after = page.next
    if (after === undefined) return pageWith(false)
    if (items.length === limit) break
  }
  return pageWith(after !== undefined)
}
