import { sweepAt } from '../../shared/db/sweep-at.ts'
import { transact, type Write } from '../../shared/db/table.ts'
import { eventExample } from '../../shared/events/catalog.ts'
import { makeEvent } from '../../shared/events/event.ts'
import { expiryOf, outbox } from '../../shared/events/outbox.ts'
import type { EventType } from '../../shared/events/types.ts'
import { msOfUlid, ulid } from '../../shared/ids.ts'
import { type Delivery, deliveries, pendingDelivery } from '../../shared/webhooks/deliveries/lifecycle/row.ts'
import { firstEvent } from '../support/first-event.ts'
import type { Kit } from '../support/start.ts'

/** An event without a delivery, and its position. */
export interface StoredEvent {
  id: string
  type: EventType
  outboxId: string
  eventIndex: number
}

const write = async ({ ctx }: Kit, writes: readonly Write[]) => {
  for (let from = 0; from < writes.length; from += 100) {
    const some = writes.slice(from, from + 100)
    await transact(ctx, () => some)
  }
}

/** Events of the past, a millisecond apart, the last one a second ago: as if no endpoint had existed when they happened. */
export const layEvents = async (
  kit: Kit,
  count: number,
  { type = 'post.scheduled', perRow = 1 }: { type?: EventType; perRow?: number } = {},
): Promise<StoredEvent[]> => {
  const { ctx, clock, workspaceId } = kit
  const workspace = { id: workspaceId, name: 'Acme', slug: 'acme' }
  const rows = Array.from({ length: Math.ceil(count / perRow) }, (_, n) => {
    const atMs = clock.now() - 1000 - count + n
    const outboxId = ulid(atMs)
    const events = Array.from({ length: Math.min(perRow, count - n * perRow) }, (_, index) => {
      const subject = `${outboxId}${index}`
      return makeEvent(type, workspace, atMs, firstEvent(outboxId, index), { ...eventExample(type), postId: subject })
    })
    return { id: outboxId, workspaceId, events, ttl: expiryOf(ctx) }
  })
  await write(
    kit,
    rows.map((row) => ({ put: outbox.item(row) })),
  )
  return rows.flatMap(({ id: outboxId, events }) =>
    events.map(({ id }, eventIndex) => ({ id, type, outboxId, eventIndex })),
  )
}

/** The attempts that an event has had at an endpoint, by what became of them. */
export const layAttempts = async (
  kit: Kit,
  endpointId: string,
  histories: readonly { event: StoredEvent; statuses: readonly Delivery['status'][] }[],
): Promise<void> => {
  const { ctx, clock, workspaceId } = kit
  const rows = histories.flatMap(({ event, statuses }) =>
    statuses.map((status, n) => {
      const { id: eventId, type: eventType, outboxId, eventIndex } = event
      const of = { workspaceId, endpointId, outboxId, eventIndex, eventId, eventType, ttl: expiryOf(ctx) }
      const planned = { ...of, attempt: n + 1, step: 1, firstAtMs: clock.now(), cause: 'event' } as const
      return { ...pendingDelivery(planned, clock.now(), clock.now()), status }
    }),
  )
  await write(
    kit,
    rows.map((row) => ({
      put: { ...deliveries.item(row), ...(row.status === 'pending' ? sweepAt(row.id, clock.now() + 60_000) : {}) },
    })),
  )
}

/** The moment at which the row of an event was made. */
export const momentOf = ({ outboxId }: StoredEvent): string => new Date(msOfUlid(outboxId)).toISOString()
