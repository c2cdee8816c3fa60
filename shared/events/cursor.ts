import { pair } from '../ids.ts'

/** The position of an event among all events of its workspace: the id of its outbox row, then its index in that row. */
export const eventCursor = (outboxId: string, eventIndex: number): string => outboxId + pair(eventIndex)

export const eventCursorForm = /^[0-9A-HJKMNP-TV-Z]{28}$/

/** The id of an event: its position, so that it is found without a row of its own. */
export const eventIdAt = (outboxId: string, eventIndex: number): string => `evt_${eventCursor(outboxId, eventIndex)}`

/** The position that an id names; undefined if it cannot be the id of an event. */
export const cursorOfEvent = (eventId: string): string | undefined => {
  const cursor = eventId.slice('evt_'.length)
  return eventId.startsWith('evt_') && eventCursorForm.test(cursor) ? cursor : undefined
}

/** The id of the outbox row that a cursor points into. */
export const outboxIdInCursor = (cursor: string): string => cursor.slice(0, 26)
