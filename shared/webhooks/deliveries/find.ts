import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import type { BatchRows, Key } from '../../db/table.ts'
import type { CodeOf } from '../../errors/catalog.ts'
import { Refusal } from '../../errors/refusal.ts'
import { isExpired, type OutboxRow, outbox } from '../../events/outbox.ts'
import { described } from '../../http/described.ts'
import { Id } from '../../http/id.ts'
import { endpoints } from '../endpoints/endpoint.ts'
import { type Delivery, deliveries, outboxIdOf } from './lifecycle/row.ts'

/** The form of a delivery id. */
export const deliveryIdForm = /^dlv_[0-9A-Z]{30}$/

/** The path of a route about one attempt. It accepts any id; only an id of that form can name a row. */
export const DeliveryPath = z.object({
  id: described(Id, 'The ID of the endpoint, `whe_…`.'),
  deliveryId: described(Id, 'The ID of the attempt.'),
})

interface DeliveryParams {
  workspaceId: string
  params: z.infer<typeof DeliveryPath>
}

const keyOf = ({ workspaceId, params }: DeliveryParams) => ({
  workspaceId,
  endpointId: params.id,
  id: params.deliveryId,
})

/** The rows of an attempt and of its endpoint, read together with the authorization. */
export const deliveryKeys = (request: DeliveryParams): Key[] => {
  const { workspaceId, params } = request
  return [endpoints.key({ workspaceId, id: params.id }), deliveries.key(keyOf(request))]
}

const eventKey = ({ workspaceId, params }: DeliveryParams) => ({ workspaceId, id: outboxIdOf(params.deliveryId) })

/** The same, and the row of the attempt's event. */
export const redeliveryKeys = (request: DeliveryParams): Key[] => [
  ...deliveryKeys(request),
  ...(deliveryIdForm.test(request.params.deliveryId) ? [outbox.key(eventKey(request))] : []),
]

const notFound = (code: CodeOf<'missing'>, text: string) => new Refusal('missing', text, { code, field: 'deliveryId' })

/** An attempt of the log; throws `delivery_not_found` if there is none or it has expired. */
export const findDelivery = (ctx: Context, rows: BatchRows, request: DeliveryParams): Delivery => {
  const delivery = deliveries.from(rows, keyOf(request))
  if (delivery && !isExpired(ctx, delivery)) return delivery
  throw notFound('delivery_not_found', `The log of this webhook endpoint has no attempt ${request.params.deliveryId}.`)
}

/** Throws `event_not_found` if the event of an attempt has expired. */
export const assertEventStored = (ctx: Context, rows: BatchRows, request: DeliveryParams): OutboxRow => {
  const row = outbox.from(rows, eventKey(request))
  if (row && !isExpired(ctx, row)) return row
  throw notFound('event_not_found', 'The event of this attempt has expired and can no longer be delivered.')
}
