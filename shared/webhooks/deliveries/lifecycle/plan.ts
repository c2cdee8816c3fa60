import { type Delivery, deliveryId } from './row.ts'

/** What is known of an attempt before it is made. */
export type PlannedAttempt = Pick<
  Delivery,
  | 'workspaceId'
  | 'endpointId'
  | 'outboxId'
  | 'eventIndex'
  | 'eventId'
  | 'eventType'
  | 'attempt'
  | 'step'
  | 'firstAtMs'
  | 'cause'
  | 'replayId'
  | 'ttl'
>

/** The row of an attempt to come. */
export const pendingDelivery = (planned: PlannedAttempt, dueMs: number, nowMs: number): Delivery => {
  const { workspaceId, endpointId, outboxId, eventIndex, eventId, eventType } = planned
  const { attempt, step, firstAtMs, cause, replayId, ttl } = planned
  return {
    id: deliveryId(outboxId, eventIndex, attempt),
    ...{ workspaceId, endpointId, outboxId, eventIndex, eventId, eventType, attempt, step, firstAtMs, cause },
    ...(replayId === undefined ? {} : { replayId }),
    status: 'pending',
    nextAttemptAt: new Date(dueMs).toISOString(),
    createdAt: new Date(nowMs).toISOString(),
    ttl,
  }
}
