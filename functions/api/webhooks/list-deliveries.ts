import { workspaceAdmin } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { IdPath } from '../../../shared/http/id.ts'
import { DeliveryPage, eventKeys, listDeliveries } from '../../../shared/webhooks/deliveries/log.ts'
import { ListDeliveriesQuery } from '../../../shared/webhooks/deliveries/log-query.ts'
import { endpointKeys, findEndpointOrDeleted } from '../../../shared/webhooks/endpoints/find.ts'

export const handler = endpoint(
  {
    method: 'GET',
    path: '/api/webhooks/{id}/deliveries',
    summary: 'List delivery attempts, the newest event first',
    description:
      'The attempts of an event stand together, the last one first; `since` and `until` are about the time of the event. `total` counts up to 200 attempts exactly, and says by `totalIsExact` whether it did. To read a log of any length follow `nextCursor` as long as there is one: with a filter a page may hold fewer attempts than asked for, or none, and go on.',
    access: workspaceAdmin,
    params: IdPath,
    query: ListDeliveriesQuery,
    status: 200,
    data: DeliveryPage,
    errors: ['webhook_endpoint_not_found'],
    needs: ['table:read'],
    prefetch: (known) => [...endpointKeys(known), ...eventKeys(known.workspaceId, known.query.eventId)],
  },
  ({ ctx, workspace, params, query, prefetched }) =>
    listDeliveries(ctx, workspace.id, findEndpointOrDeleted(prefetched, workspace.id, params.id).id, query, prefetched),
)
