import * as z from 'zod/mini'
import { describeEvent, eventExample, events } from '../../shared/events/catalog.ts'
import { apiVersion, Event } from '../../shared/events/event.ts'
import { type EventType, eventTypes } from '../../shared/events/types.ts'
import { described } from '../../shared/http/described.ts'
import type { SchemaOf } from './schemas.ts'

const header = (name: string, description: string, required = true) => ({
  name,
  in: 'header',
  required,
  description,
  schema: { type: 'string' },
})

const headers = [
  header(
    'X-Service-Signature',
    '`v1=` and the HMAC-SHA256 of `{timestamp}.{rawBody}` in hex, keyed with the secret of the endpoint.',
  ),
  header(
    'X-Service-Signature-Previous',
    'The same signature with the secret before the last rotation, while that secret is valid. Absent otherwise.',
    false,
  ),
  header(
    'X-Service-Timestamp',
    'The time of this attempt in Unix seconds. Reject it more than 300 seconds from your clock.',
  ),
  header('X-Service-Event-Id', 'The ID of the event, the same in every attempt. Use it to ignore repeats.'),
  header('X-Service-Delivery-Id', 'The ID of this attempt. GET /api/webhooks/{id}/deliveries/{deliveryId} returns it.'),
  header('X-Service-Delivery-Attempt', 'The number of this attempt, from 1.'),
  header(
    'X-Correlation-Id',
    'The ID that the service gave the API call that led to the event: `X-Request-Id` of its response, unless the call named its own. At most 64 characters. Absent if no call led to it.',
    false,
  ),
  header('webhook-id', 'The ID of the event, as Standard Webhooks names it.'),
  header('webhook-timestamp', 'The time of this attempt in Unix seconds, as Standard Webhooks names it.'),
  header(
    'webhook-signature',
    'The signatures of Standard Webhooks, `v1,` and base64, one for each valid secret, separated by spaces.',
  ),
]

const exampleOf = (type: EventType): Event => ({
  id: 'evt_01KAJ2K6C8E0G2J4M6P8S0V2X400',
  type,
  apiVersion,
  createdAt: '2026-12-01T09:00:00.000Z',
  workspace: { id: 'ws_01KAJ3V9Q6M0T4W2Y8Z5X7C1B3', name: 'Acme', slug: 'acme' },
  data: { ...eventExample(type) },
})

const webhookOf = (type: EventType, schemaOf: SchemaOf) => {
  const envelope = z.object({
    ...Event.shape,
    type: described(z.literal(type), 'The type of the event.'),
    data: described(events[type].data, 'What happened.'),
  })
  return {
    operationId: type,
    tags: ['webhooks'],
    summary: describeEvent(type),
    description: `Sent to every enabled endpoint that subscribes to \`${type}\`. Verify the signature before you read the body.`,
    security: [],
    parameters: headers,
    requestBody: {
      required: true,
      content: { 'application/json': { schema: schemaOf(envelope, 'output'), example: exampleOf(type) } },
    },
    responses: {
      '2XX': { description: 'Delivered, if the response arrives within 15 seconds. Any other response is retried.' },
      '410': { description: 'The service disables the endpoint and sends nothing more to it.' },
    },
  }
}

/** The events that the service sends to webhook endpoints, by event type. */
export const webhooksOf = (schemaOf: SchemaOf) =>
  Object.fromEntries(eventTypes.map((type) => [type, { post: webhookOf(type, schemaOf) }]))
