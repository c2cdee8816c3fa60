import { type Delivery, deliveryId } from './row.ts'

/** The fields of an attempt that are known before it is made. */
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

/** The row of a pending attempt. */
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
