import { type EventPosition, eventIdAt } from '../../shared/events/event.ts'

/** The order of the first event about a subject. */
export const firstEvent = (outboxId: string, eventIndex = 0): EventPosition => ({
  id: eventIdAt(outboxId, eventIndex),
  sequence: 1,
  previousEventId: undefined,
})
