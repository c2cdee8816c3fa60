import * as z from 'zod/mini'
import { described } from '../http/described.ts'
import { timestamp } from '../http/moment.ts'
import { pair } from '../ids.ts'
import { type EventType, eventTypes } from './types.ts'

/** The position of an event among all events of its workspace: the id of its outbox row, then its index in that row. */
export const eventCursor = (outboxId: string, eventIndex: number): string => outboxId + pair(eventIndex)

export const eventCursorForm = /^[0-9A-HJKMNP-TV-Z]{28}$/

/** The ID of an event. It encodes the position, so that no separate row is needed to find the event. */
export const eventIdAt = (outboxId: string, eventIndex: number): string => `evt_${eventCursor(outboxId, eventIndex)}`

/** The position that an id names; undefined if it cannot be the id of an event. */
export const cursorOfEvent = (eventId: string): string | undefined => {
  const cursor = eventId.slice('evt_'.length)
  return eventId.startsWith('evt_') && eventCursorForm.test(cursor) ? cursor : undefined
}

/** The id of the outbox row that a cursor points into. */
export const outboxIdInCursor = (cursor: string): string => cursor.slice(0, 26)

/** The version of the payloads' shape. Every event carries it. */
export const apiVersion = '2026-11-21'

/** The envelope of an event as webhooks, the event bus, and the event log carry it. */
export const Event = z
  .object({
    id: described(z.string(), 'The ID of the event, `evt_…`. Use it to ignore repeats.'),
    type: described(z.enum(eventTypes), 'The type of the event.'),
    apiVersion: described(z.string(), 'The version of the shape of `data`, a date.'),
    createdAt: timestamp('When it happened, in UTC.'),
    workspace: described(
      z.object({
        id: described(z.string(), 'The ID of the workspace, `ws_…`.'),
        name: described(z.string(), 'The name of the workspace at that time.'),
        slug: described(z.string(), 'The slug of the workspace.'),
      }),
      'The workspace where it happened.',
    ),
    data: described(z.record(z.string(), z.unknown()), 'What happened. Its fields depend on the type.'),
  })
  .register(z.globalRegistry, { id: 'WebhookEvent', description: 'Something that happened in a workspace.' })
export type Event = z.infer<typeof Event>

/** Where an event is, and its position among the events about its subject, each of which names its predecessor. */
export interface EventPosition {
  /** `eventIdAt` its position in the outbox. */
  id: string
  sequence: number
  previousEventId: string | undefined
}

/** An event that is not written yet: its id and its time follow from the transaction. */
export interface NewEvent extends Omit<EventPosition, 'id'> {
  type: EventType
  data: Record<string, unknown>
}

export const makeEvent = (
  type: EventType,
  workspace: Event['workspace'],
  nowMs: number,
  { id, sequence, previousEventId }: EventPosition,
  data: Record<string, unknown>,
): Event => ({
  id,
  type,
  apiVersion,
  createdAt: new Date(nowMs).toISOString(),
  workspace: { id: workspace.id, name: workspace.name, slug: workspace.slug },
  data: {
    ...data,
    sequence,
    previousEventId: previousEventId ?? null,
  },
})

/** The types that people are notified about, too (notifications/alerts/raise.ts). */
const notifiedTypes = [
  'post.publish_failed',
  'social_account.reconnect_required',
  'social_account.access_ending',
  'workspace.trial_ending',
  'workspace.payment_failed',
] as const satisfies readonly EventType[]
export type NotifiedType = (typeof notifiedTypes)[number]

export const isNotified = (type: EventType): type is NotifiedType => (notifiedTypes as readonly string[]).includes(type)
