import { pair } from '../ids.ts'

/** The position of an event among all events of its workspace: by the time of its outbox row, then by its index there. */
export const eventCursor = (outboxId: string, eventIndex: number): string => outboxId + pair(eventIndex)

export const eventCursorForm = /^[0-9A-HJKMNP-TV-Z]{28}$/

/** The id of the outbox row that a cursor lies in. */
export const outboxIdInCursor = (cursor: string): string => cursor.slice(0, 26)
