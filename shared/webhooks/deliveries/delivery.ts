import * as z from 'zod/mini'
import { entity } from '../../db/entity.ts'
import { eventTypes } from '../../events/types.ts'
import { pair } from '../../ids.ts'

/** What became of an attempt (reliability, A2.14). */
export const deliveryStatuses = ['pending', 'succeeded', 'failed', 'exhausted', 'discarded'] as const

/** Why there is an attempt: the event itself, a test of the endpoint, or somebody who asked for it again. */
export const deliveryCauses = ['event', 'test', 'redelivery', 'replay'] as const

/** One attempt to deliver one event to one endpoint; its row is there before the attempt is made. */
export const Delivery = z.object({
  id: z.string(),
  workspaceId: z.string(),
  endpointId: z.string(),
  outboxId: z.string(),
  eventIndex: z.int(),
  eventId: z.string(),
  eventType: z.enum(eventTypes),
  /** The n-th attempt of this event at this endpoint, whatever its cause. */
  attempt: z.int(),
  /** The n-th try of the schedule; a probe of a failing endpoint does not use one up. */
  step: z.int(),
  /** When the first try of the schedule was due; all of it ends 76 h 42 m later. */
  firstAtMs: z.number(),
  cause: z.enum(deliveryCauses),
  replayId: z.optional(z.string()),
  status: z.enum(deliveryStatuses),
  nextAttemptAt: z.nullable(z.string()),
  requestedAt: z.nullable(z.string()),
  durationMs: z.nullable(z.number()),
  httpStatus: z.nullable(z.number()),
  errorCode: z.nullable(z.string()),
  responseSnippet: z.nullable(z.string()),
  leaseUntilMs: z.optional(z.number()),
  createdAt: z.string(),
  ttl: z.number(),
})
export type Delivery = z.infer<typeof Delivery>

export const deliveries = entity({
  type: 'Delivery',
  shape: Delivery,
  key: ({ workspaceId, endpointId, id }: Pick<Delivery, 'workspaceId' | 'endpointId' | 'id'>) => ({
    PK: `WS#${workspaceId}#HOOK#${endpointId}`,
    SK: id,
  }),
  // Only what is still to be sent; the write that logs an attempt removes it (`noLongerWaiting`).
  indexes: ({ workspaceId, endpointId, status }) => ({
    waitingKey: status === 'pending' ? waitingKey(workspaceId, endpointId) : undefined,
  }),
})

/** The partition of the index in which the pending attempts of an endpoint wait, oldest event first. */
export const waitingKey = (workspaceId: string, endpointId: string): string => `WS#${workspaceId}#HOOK#${endpointId}`

/** Attempts that one event may have had at one endpoint before somebody asks for another; its id counts to 1,023. */
export const maxAttempts = 700

/** Sorts by the event's time, then by attempt; the same attempt has the same id whoever computes it. */
export const deliveryId = (outboxId: string, eventIndex: number, attempt: number): string =>
  `dlv_${outboxId}${pair(eventIndex)}${pair(attempt)}`

/** The outbox row a delivery is about, so that both can be read at once. */
export const outboxIdOf = (id: string): string => id.slice('dlv_'.length, 'dlv_'.length + 26)

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
    requestedAt: null,
    durationMs: null,
    httpStatus: null,
    errorCode: null,
    responseSnippet: null,
    createdAt: new Date(nowMs).toISOString(),
    ttl,
  }
}

/** A delivery as the log shows it. */
export const DeliveryView = z
  .object({
    id: z.string(),
    endpointId: z.string(),
    eventId: z.string(),
    eventType: z.enum(eventTypes),
    attempt: z.int(),
    cause: z.enum(deliveryCauses),
    status: z.enum(deliveryStatuses),
    nextAttemptAt: z.nullable(z.string()),
    requestedAt: z.nullable(z.string()),
    durationMs: z.nullable(z.number()),
    httpStatus: z.nullable(z.number()),
    errorCode: z.nullable(z.string()),
    responseSnippet: z.nullable(z.string()),
    createdAt: z.string(),
  })
  .register(z.globalRegistry, { id: 'WebhookDelivery' })
