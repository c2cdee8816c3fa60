import { pair } from '../ids.ts'

/** Where an event stands among all of its workspace: by the time of its record, then in the order told. */
export const placeOf = (outboxId: string, eventIndex: number): string => outboxId + pair(eventIndex)

export const placeForm = /^[0-9A-HJKMNP-TV-Z]{28}$/

/** The outbox row that a place is in. */
export const rowOf = (place: string): string => place.slice(0, 26)
