import { orApplication, workspaceAdmin } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { idPath } from '../../../shared/http/id.ts'
import { DeliveryPage, ListDeliveriesQuery, listDeliveries } from '../../../shared/webhooks/deliveries/log.ts'
import { endpointKeys, findEndpointOrDeleted } from '../../../shared/webhooks/endpoints/find.ts'

export const handler = endpoint(
  {
    method: 'GET',
    path: '/api/webhooks/{id}/deliveries',
    summary: 'List delivery attempts, newest event first',
    description:
      'The attempts of an event are listed together, the last one first; `since` and `until` filter by the time of the event. `total` is exact up to 200 attempts, and `totalIsExact` says whether it is. To read a log of any length, follow `nextCursor` while there is one: with a filter, a page may have fewer attempts than `limit`, or none, and continue.',
    access: orApplication(workspaceAdmin),
    params: idPath('The ID of the endpoint, `whe_…`.'),
    query: ListDeliveriesQuery,
    status: 200,
    data: DeliveryPage,
    errors: ['webhook_endpoint_not_found'],
    needs: ['table:read'],
    prefetch: endpointKeys,
  },
  ({ ctx, workspace, params, query, prefetched }) =>
    listDeliveries(ctx, workspace.id, findEndpointOrDeleted(prefetched, workspace.id, params.id).id, query),
)
