import * as z from 'zod/mini'
import { describeEvent, eventExample } from '../../shared/events/catalog.ts'
import { apiVersion, Event } from '../../shared/events/event.ts'
import { payloads } from '../../shared/events/payloads.ts'
import { type EventType, eventTypes } from '../../shared/events/types.ts'
import type { SchemaOf } from './schemas.ts'

const header = (name: string, description: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
})

const headers = [
  header('X-Service-Signature', '`v1=` and the HMAC-SHA256 of `{timestamp}.{rawBody}` in hex.'),
  header('X-Service-Timestamp', 'Unix seconds of this attempt.'),
  header('X-Service-Event-Id', 'The `id` of the event: the same for every attempt.'),
  header('X-Service-Delivery-Id', 'Names this attempt in the log.'),
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
  const envelope = z.object({ ...Event.shape, type: z.literal(type), data: payloads[type] })
  return {
    operationId: type,
    tags: ['webhooks'],
    summary: describeEvent(type),
    security: [],
    parameters: headers,
    requestBody: {
      required: true,
      content: { 'application/json': { schema: schemaOf(envelope, 'output'), example: exampleOf(type) } },
    },
    responses: {
      '2XX': { description: 'Taken. It counts within 15 seconds.' },
      '410': { description: 'The receiver wants no more events: the endpoint is disabled.' },
    },
  }
}

/** What the service sends to webhook endpoints, by event type. */
export const webhooksOf = (schemaOf: SchemaOf) =>
  Object.fromEntries(eventTypes.map((type) => [type, { post: webhookOf(type, schemaOf) }]))
