import * as z from 'zod/mini'
import { eventTypes } from '../../events/types.ts'
import { type Delivery, deliveryCauses, deliveryStatuses } from './lifecycle/row.ts'

/** A delivery as the API shows it. */
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

const noOutcome = { requestedAt: null, durationMs: null, httpStatus: null, errorCode: null, responseSnippet: null }

export const viewDelivery = (delivery: Delivery): z.infer<typeof DeliveryView> => {
  const { id, endpointId, eventId, eventType, attempt, cause, status, createdAt } = delivery
  return {
    ...{ id, endpointId, eventId, eventType, attempt, cause, status },
    nextAttemptAt: delivery.nextAttemptAt ?? null,
    ...(delivery.outcome ?? noOutcome),
    createdAt,
  }
}
