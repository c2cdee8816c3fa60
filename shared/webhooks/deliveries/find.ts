import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import type { Found, Key } from '../../db/table.ts'
import type { CodeOf } from '../../errors/catalog.ts'
import { Refusal } from '../../errors/refusal.ts'
import { type OutboxRow, outbox } from '../../events/outbox.ts'
import { isExpired } from '../../events/retention.ts'
import { Id } from '../../http/id.ts'
import { type Endpoint, endpoints } from '../endpoints/endpoint.ts'
import { type Delivery, deliveries, outboxIdOf } from './delivery.ts'

/** The form of an attempt's id. */
export const deliveryForm = /^dlv_[0-9A-Z]{30}$/

/** The path of a route about one attempt. Any id may be asked for; only one of this form can name a row. */
export const DeliveryPath = z.object({ id: Id, deliveryId: Id })

interface Asked {
  workspaceId: string
  params: z.infer<typeof DeliveryPath>
}

const keyOf = ({ workspaceId, params }: Asked) => ({ workspaceId, endpointId: params.id, id: params.deliveryId })

/** The rows of an attempt and of its endpoint, for the read that also authorizes. */
export const deliveryKeys = (asked: Asked): Key[] => {
  const { workspaceId, params } = asked
  return [endpoints.key({ workspaceId, id: params.id }), deliveries.key(keyOf(asked))]
}

const eventKey = ({ workspaceId, params }: Asked) => ({ workspaceId, id: outboxIdOf(params.deliveryId) })

/** The same with the row of the event that the attempt was about. */
export const redeliveryKeys = (asked: Asked): Key[] => [
  ...deliveryKeys(asked),
  ...(deliveryForm.test(asked.params.deliveryId) ? [outbox.key(eventKey(asked))] : []),
]

const missing = (code: CodeOf<'missing'>, text: string) => new Refusal('missing', text, { code, field: 'deliveryId' })

/** An attempt of the log, as long as it is kept. */
export const findDelivery = (ctx: Context, found: Found, asked: Asked): Delivery => {
  const delivery = deliveries.from(found, keyOf(asked))
  if (delivery && !isExpired(ctx, delivery)) return delivery
  throw missing('delivery_not_found', `The log of this webhook endpoint has no attempt ${asked.params.deliveryId}.`)
}

/** Demands that the event of an attempt can still be delivered. */
export const demandEvent = (ctx: Context, found: Found, asked: Asked): OutboxRow => {
  const row = outbox.from(found, eventKey(asked))
  if (row && !isExpired(ctx, row)) return row
  throw missing('event_not_found', 'The event of this attempt has expired and can no longer be delivered.')
}

/** Demands that deliveries go out to an endpoint. */
export const demandEnabled = ({ enabled }: Endpoint): void => {
  if (enabled) return
  throw new Refusal('conflict', 'This webhook endpoint is disabled. Send PATCH with "enabled": true first.', {
    code: 'webhook_endpoint_disabled',
    field: 'id',
  })
}
