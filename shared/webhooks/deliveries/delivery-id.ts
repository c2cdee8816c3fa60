import { pair } from '../../ids.ts'

/** Sorts by the event's time, then by attempt. The id is deterministic. */
export const deliveryId = (outboxId: string, eventIndex: number, attempt: number): string =>
  `dlv_${outboxId}${pair(eventIndex)}${pair(attempt)}`
