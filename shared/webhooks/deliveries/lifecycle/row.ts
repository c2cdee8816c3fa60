import * as z from 'zod/mini'
import { entity } from '../../../db/entity.ts'
import { workFields } from '../../../db/lease.ts'
import type { OutboxRow } from '../../../events/outbox.ts'
import { deliveryId, isOfChild, subscribersOf } from '../../../events/outbox.ts'
import { eventTypes } from '../../../events/types.ts'
import type { Workspace } from '../../../workspaces/workspace.ts'

/** The outcome of an attempt, or why there was none. */
export const deliveryStatuses = ['pending', 'succeeded', 'failed', 'exhausted', 'discarded'] as const

/** The cause of an attempt: the event itself, a test of the endpoint, or a request to send the event again. */
export const deliveryCauses = ['event', 'test', 'redelivery', 'replay'] as const

/** The result of an attempt; a successful one has no error code. */
export const AttemptRecord = z.object({
  requestedAt: z.string(),
  durationMs: z.number(),
  httpStatus: z.nullable(z.number()),
  errorCode: z.nullable(z.string()),
  responseSnippet: z.nullable(z.string()),
})
export type AttemptRecord = z.infer<typeof AttemptRecord>

/**
 * One attempt to deliver an event to an endpoint. The row is written before the attempt; `state.ts` derives its state.
 */
export const Delivery = z.object({
  id: z.string(),
  workspaceId: z.string(),
  endpointId: z.string(),
  outboxId: z.string(),
  eventIndex: z.int(),
  eventId: z.string(),
  eventType: z.enum(eventTypes),
  /** The number of the attempt of this event at this endpoint, for all causes together. */
  attempt: z.int(),
  /** The number of the try in the retry schedule. A probe of a failing endpoint uses up no try. */
  step: z.int(),
  /** When the first try of the schedule was due. The schedule ends 76 h 42 m later. */
  firstAtMs: z.number(),
  cause: z.enum(deliveryCauses),
  replayId: z.optional(z.string()),
  status: z.enum(deliveryStatuses),
  /** While pending: when it is due. */
  nextAttemptAt: z.optional(z.string()),
  ...workFields,
  /** While pending: when the sweeper looks next. */
  sweepAtMs: z.optional(z.number()),
  /** While pending, if it is retried or was deferred: its partition in the index of waiting deliveries. */
  waitingKey: z.optional(z.string()),
  /** Present once it was attempted. */
  outcome: z.optional(AttemptRecord),
  createdAt: z.string(),
  ttl: z.number(),
})
export type Delivery = z.infer<typeof Delivery>

export type DeliveryKey = Pick<Delivery, 'workspaceId' | 'endpointId' | 'id'>

export const deliveries = entity({
  type: 'Delivery',
  shape: Delivery,
  key: ({ workspaceId, endpointId, id }: DeliveryKey) => ({ PK: `WS#${workspaceId}#HOOK#${endpointId}`, SK: id }),
})

/**
 * The partition of the index that holds the waiting deliveries of an endpoint, oldest event first: those that are retried
 * or were deferred. A delivery that was neither is sent by its message, or by the sweeper within minutes.
 */
export const waitingKey = ({ workspaceId, endpointId }: Pick<Delivery, 'workspaceId' | 'endpointId'>): string =>
  `WS#${workspaceId}#HOOK#${endpointId}`

/** The most attempts of one event at one endpoint, so that a redelivery always has a number: an id counts to 1,023. */
export const maxAttempts = 700

/** The outbox row of a delivery, so that both can be read in one request. */
export const outboxIdOf = (id: string): string => id.slice('dlv_'.length, 'dlv_'.length + 26)

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
    workspaceId,
    endpointId,
    outboxId,
    eventIndex,
    eventId,
    eventType,
    attempt,
    step,
    firstAtMs,
    cause,
    ...(replayId === undefined ? {} : { replayId }),
    status: 'pending',
    nextAttemptAt: new Date(dueMs).toISOString(),
    createdAt: new Date(nowMs).toISOString(),
    ttl,
  }
}

/** The endpoints that receive the events of a row: those of a child workspace only if an endpoint includes them. */
export const receiversOf = (row: OutboxRow, { endpoints }: Pick<Workspace, 'endpoints'>): Workspace['endpoints'] =>
  isOfChild(row) ? endpoints.filter(({ includeChildWorkspaces }) => includeChildWorkspaces) : endpoints

/** The first attempts of the events of a row: one per event and subscribed endpoint. */
export const firstAttempts = (row: OutboxRow, workspace: Pick<Workspace, 'endpoints'>, nowMs: number): Delivery[] => {
  const { id: outboxId, workspaceId, events, ttl } = row
  return subscribersOf(events, receiversOf(row, workspace)).map(
    ({ event: { id: eventId, type: eventType }, eventIndex, endpointId }) => {
      const of = { workspaceId, endpointId, outboxId, eventIndex, eventId, eventType }
      return pendingDelivery({ ...of, attempt: 1, step: 1, firstAtMs: nowMs, cause: 'event', ttl }, nowMs, nowMs)
    },
  )
}
