import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { allOf, begins, equal } from '../../db/expression.ts'
import { query } from '../../db/table.ts'
import { cursorOfEvent, Event, outboxIdInCursor } from '../../events/event.ts'
import { isExpired, type OutboxRow, outbox } from '../../events/outbox.ts'
import { described } from '../../http/described.ts'
import type { Post } from '../../posts/lifecycle/row.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import { deliveries } from './lifecycle/row.ts'
import { DeliveryView, viewDelivery } from './view.ts'

const shownEvents = 10

/** More than the tries of a schedule. */
const shownAttempts = 20

const PostEvent = z
  .object({
    eventId: Event.shape.id,
    eventType: Event.shape.type,
    createdAt: Event.shape.createdAt,
    deliveries: described(
      z.array(DeliveryView),
      `The attempts to deliver it, by endpoint in the order of creation, then by number: the last ${shownAttempts} at each endpoint. Empty if no endpoint of the workspace is subscribed to it, or if it was created within the last seconds.`,
    ),
  })
  .register(z.globalRegistry, { id: 'PostEvent', description: 'An event about a post, and its deliveries.' })
type PostEvent = z.infer<typeof PostEvent>

/** The events of a post with their deliveries. */
export const PostDeliveries = z
  .object({ items: described(z.array(PostEvent), `The newest ${shownEvents} events, oldest first.`) })
  .register(z.globalRegistry, {
    id: 'PostDeliveries',
    description: 'The events about a post, and the attempts to deliver them.',
  })

/** The newest events of a post that are stored: each names the one before it. */
const eventsOf = async (ctx: Context, { workspaceId, lastEventId }: Post): Promise<Event[]> => {
  const events: Event[] = []
  let row: OutboxRow | undefined
  for (let id: unknown = lastEventId; typeof id === 'string' && events.length < shownEvents; ) {
    const cursor = cursorOfEvent(id)
    if (cursor === undefined) break
    const outboxId = outboxIdInCursor(cursor)
    if (row?.id !== outboxId) row = await outbox.get(ctx, { workspaceId, id: outboxId })
    const event = row && !isExpired(ctx, row) ? row.events.find((stored) => stored.id === id) : undefined
    if (event === undefined) break
    events.unshift(event)
    id = event.data['previousEventId']
  }
  return events
}

/** The last attempts of an event at an endpoint, oldest first. */
const attemptsAt = async (ctx: Context, workspaceId: string, endpointId: string, eventId: string) => {
  const { PK } = deliveries.key({ workspaceId, endpointId, id: '' })
  const key = allOf(equal('PK', PK), begins('SK', `dlv_${cursorOfEvent(eventId)}`))
  const { items } = await query(ctx, { key, newestFirst: true, limit: shownAttempts })
  const rows = deliveries.readable(ctx, items).filter((row) => !isExpired(ctx, row))
  return rows.map(viewDelivery).toReversed()
}

/** The events of a post, and how each was delivered to the endpoints of the workspace. */
export const listPostDeliveries = async (
  ctx: Context,
  { id: workspaceId, endpoints }: Workspace,
  post: Post,
): Promise<z.infer<typeof PostDeliveries>> => {
  const view = async ({ id: eventId, type: eventType, createdAt }: Event): Promise<PostEvent> => {
    const attempts = await Promise.all(endpoints.map(({ id }) => attemptsAt(ctx, workspaceId, id, eventId)))
    return { eventId, eventType, createdAt, deliveries: attempts.flat() }
  }
  return { items: await Promise.all((await eventsOf(ctx, post)).map(view)) }
}
