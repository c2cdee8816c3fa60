import * as z from 'zod/mini'
import { auditEntries } from '../../audit/entry.ts'
import { isExpired, outbox } from '../../events/outbox.ts'
import { deliveries } from '../../webhooks/deliveries/lifecycle/row.ts'
import { DeliveryView, viewDelivery } from '../../webhooks/deliveries/view.ts'
import { endpoints, WebhookEndpoint } from '../../webhooks/endpoints/endpoint.ts'
import { childrenSource, partitionSource } from './source.ts'

const hooks = {
  partition: (workspaceId: string) => endpoints.key({ workspaceId, id: '' }).PK,
  prefix: endpoints.key({ workspaceId: '', id: '' }).SK,
}

const EndpointLine = z.omit(WebhookEndpoint, { workspaceId: true, secrets: true, secretHint: true })

export const endpointSource = partitionSource({
  name: 'webhook_endpoints',
  description: 'The webhook endpoints, without secrets. Those with `deletedAt` were deleted.',
  ...hooks,
  lines: (ctx, rows) => endpoints.readable(ctx, rows).map((row) => z.parse(EndpointLine, row)),
})

export const deliverySource = childrenSource({
  name: 'webhook_deliveries',
  description: 'The log of webhook deliveries within its retention.',
  parents: hooks,
  partition: ({ id }, { workspaceId }) => deliveries.key({ workspaceId, endpointId: String(id), id: '' }).PK,
  lines: (ctx, rows) => deliveries.readable(ctx, rows).map((row) => z.parse(DeliveryView, viewDelivery(row))),
})

export const eventSource = partitionSource({
  name: 'events',
  description: 'The events within their retention, in the format of webhooks.',
  partition: (workspaceId) => outbox.key({ workspaceId, id: '' }).PK,
  lines: (ctx, rows) =>
    outbox
      .readable(ctx, rows)
      .filter((row) => !isExpired(ctx, row))
      .flatMap(({ events }) => events),
})

export const auditSource = partitionSource({
  name: 'audit',
  description: 'The audit trail of one year.',
  partition: (workspaceId) => auditEntries.key({ workspaceId, id: '' }).PK,
  lines: (ctx, rows) => auditEntries.readable(ctx, rows).map(({ ttl: _, workspaceId: __, ...entry }) => entry),
})
