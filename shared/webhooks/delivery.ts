import * as z from 'zod/mini'
import { entity } from '../db/entity.ts'
import { pair } from '../ids.ts'
import { eventTypes } from './event.ts'

/** What became of an attempt (reliability, A2.14). */
export const deliveryStatuses = ['pending', 'succeeded', 'failed', 'exhausted', 'discarded'] as const

/** One attempt to deliver one event to one endpoint; its row is there before the attempt is made. */
export const Delivery = z.object({
  id: z.string(),
  workspaceId: z.string(),
  endpointId: z.string(),
  outboxId: z.string(),
  eventIndex: z.int(),
  eventId: z.string(),
  eventType: z.enum(eventTypes),
  attempt: z.int(),
  /** When the first attempt was due; the schedule counts from here. */
  firstAtMs: z.number(),
  status: z.enum(deliveryStatuses),
  test: z.optional(z.boolean()),
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
})

const keptDays = 30

/** Sorts by the event's time, then by attempt; the same attempt has the same id whoever computes it. */
export const deliveryId = (outboxId: string, eventIndex: number, attempt: number): string =>
  `dlv_${outboxId}${pair(eventIndex)}${pair(attempt)}`

/** The outbox row a delivery is about, so that both can be read at once. */
export const outboxIdOf = (id: string): string => id.slice('dlv_'.length, 'dlv_'.length + 26)

type Planned = Pick<
  Delivery,
  'workspaceId' | 'endpointId' | 'outboxId' | 'eventIndex' | 'eventId' | 'eventType' | 'attempt' | 'firstAtMs' | 'test'
>

/** The row of an attempt to come. */
export const pendingDelivery = (planned: Planned, dueMs: number, nowMs: number): Delivery => {
  const { workspaceId, endpointId, outboxId, eventIndex, eventId, eventType, attempt, firstAtMs, test } = planned
  return {
    id: deliveryId(outboxId, eventIndex, attempt),
    ...{ workspaceId, endpointId, outboxId, eventIndex, eventId, eventType, attempt, firstAtMs, test },
    status: 'pending',
    nextAttemptAt: new Date(dueMs).toISOString(),
    requestedAt: null,
    durationMs: null,
    httpStatus: null,
    errorCode: null,
    responseSnippet: null,
    createdAt: new Date(nowMs).toISOString(),
    ttl: Math.ceil(nowMs / 1000) + keptDays * 86_400,
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
    status: z.enum(deliveryStatuses),
    test: z.optional(z.boolean()),
    nextAttemptAt: z.nullable(z.string()),
    requestedAt: z.nullable(z.string()),
    durationMs: z.nullable(z.number()),
    httpStatus: z.nullable(z.number()),
    errorCode: z.nullable(z.string()),
    responseSnippet: z.nullable(z.string()),
    createdAt: z.string(),
  })
  .register(z.globalRegistry, { id: 'WebhookDelivery' })
