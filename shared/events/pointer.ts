import * as z from 'zod/mini'
import { entity } from '../db/entity.ts'
import type { Item } from '../db/table.ts'
import type { OutboxRow } from './outbox.ts'

/** The position of an event in the outbox, found by its id; it expires with its event. */
const EventPointer = z.object({
  workspaceId: z.string(),
  eventId: z.string(),
  outboxId: z.string(),
  eventIndex: z.int(),
  ttl: z.number(),
})
type EventPointer = z.infer<typeof EventPointer>

export const pointers = entity({
  type: 'EventPointer',
  shape: EventPointer,
  key: ({ workspaceId, eventId }: Pick<EventPointer, 'workspaceId' | 'eventId'>) => ({
    PK: `WS#${workspaceId}#EVENTID`,
    SK: eventId,
  }),
})

/** The rows that make the events of an outbox row findable by their ids. They are deterministic. */
export const pointersTo = ({ workspaceId, id: outboxId, events, ttl }: OutboxRow): Item[] =>
  events.map((event, eventIndex) => pointers.item({ workspaceId, eventId: event.id, outboxId, eventIndex, ttl }))
