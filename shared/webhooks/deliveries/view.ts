import * as z from 'zod/mini'
import { eventTypes } from '../../events/types.ts'
import { described } from '../../http/described.ts'
import { timestamp } from '../../http/moment.ts'
import { type Delivery, deliveryCauses, deliveryStatuses } from './lifecycle/row.ts'

/** A delivery as the API shows it. */
export const DeliveryView = z
  .object({
    id: described(z.string(), 'The ID of the attempt, as in the header `X-Service-Delivery-Id`.'),
    endpointId: described(z.string(), 'The ID of the endpoint, `whe_…`.'),
    eventId: described(z.string(), 'The ID of the event, `evt_…`.'),
    eventType: described(z.enum(eventTypes), 'The type of the event.'),
    attempt: described(z.int(), 'The number of the attempt for this event and endpoint, from 1.'),
    cause: described(
      z.enum(deliveryCauses),
      'Why it was made: the `event` itself, a `test` of the endpoint, a `redelivery`, or a `replay`.',
    ),
    status: described(
      z.enum(deliveryStatuses),
      '`pending`: not made yet. `succeeded`: a 2xx response. `failed`: another attempt follows, except after a test. `exhausted`: no attempt is left. `discarded`: the endpoint is disabled or deleted, or responded 410.',
    ),
    nextAttemptAt: described(z.nullable(timestamp()), 'When a pending attempt is due, in UTC; null otherwise.'),
    requestedAt: described(z.nullable(timestamp()), 'When the request was sent, in UTC; null until then.'),
    durationMs: described(
      z.nullable(z.number()),
      'How long the request took, in milliseconds; null until it was made.',
    ),
    httpStatus: described(z.nullable(z.number()), 'The HTTP status of the response; null without a response.'),
    errorCode: described(z.nullable(z.string()), 'Why the attempt failed, for programs; null unless it did.'),
    responseSnippet: described(
      z.nullable(z.string()),
      'The beginning of the body of the response; null without a response.',
    ),
    createdAt: timestamp('When the attempt was planned, in UTC.'),
  })
  .register(z.globalRegistry, { id: 'WebhookDelivery', description: 'One attempt to deliver an event to an endpoint.' })

const noOutcome = { requestedAt: null, durationMs: null, httpStatus: null, errorCode: null, responseSnippet: null }

export const viewDelivery = (delivery: Delivery): z.infer<typeof DeliveryView> => {
  const { id, endpointId, eventId, eventType, attempt, cause, status, createdAt } = delivery
  return {
    id,
    endpointId,
    eventId,
    eventType,
    attempt,
    cause,
    status,
    nextAttemptAt: delivery.nextAttemptAt ?? null,
    ...(delivery.outcome ?? noOutcome),
    createdAt,
  }
}
