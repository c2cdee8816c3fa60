import { pair } from '../ids.ts'

/** The position of an event among all events of its workspace: the id of its outbox row, then its index in that row. */
export const eventCursor = (outboxId: string, eventIndex: number): string => outboxId + pair(eventIndex)

export const eventCursorForm = /^[0-9A-HJKMNP-TV-Z]{28}$/

/** The id of the outbox row that a cursor points into. */
export const outboxIdInCursor = (cursor: string): string => cursor.slice(0, 26)
