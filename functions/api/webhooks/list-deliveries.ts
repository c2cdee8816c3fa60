import * as z from 'zod/mini'
import { workspaceAdmin } from '../../../shared/http/contract.ts'
import { endpoint } from '../../../shared/http/endpoint.ts'
import { IdPath } from '../../../shared/http/id.ts'
import { pageOf, pageQuery } from '../../../shared/http/page.ts'
import { DeliveryView, deliveryStatuses } from '../../../shared/webhooks/delivery.ts'
import { eventTypes } from '../../../shared/webhooks/event.ts'
import { endpointKeys, findWithLog } from '../../../shared/webhooks/find.ts'
import { listDeliveries } from '../../../shared/webhooks/log.ts'

export const handler = endpoint(
  {
    method: 'GET',
    path: '/api/webhooks/{id}/deliveries',
    summary: 'List delivery attempts, newest first',
    access: workspaceAdmin,
    params: IdPath,
    query: z.strictObject({
      status: z.optional(z.enum(deliveryStatuses)),
      eventType: z.optional(z.enum(eventTypes)),
      ...pageQuery,
    }),
    status: 200,
    data: pageOf(DeliveryView),
    refuses: ['invalid', 'missing'],
    needs: ['table:read'],
    reads: endpointKeys,
  },
  ({ ctx, workspace, params, query, found }) =>
    listDeliveries(ctx, workspace.id, findWithLog(found, workspace.id, params.id).id, query),
)
