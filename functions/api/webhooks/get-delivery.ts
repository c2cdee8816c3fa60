import { orApplication, scopeAdmin } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { DeliveryPath, deliveryKeys, findDelivery } from '../../../shared/webhooks/deliveries/find.ts'
import { DeliveryView, viewDelivery } from '../../../shared/webhooks/deliveries/view.ts'
import { findEndpointOrDeleted } from '../../../shared/webhooks/endpoints/find.ts'

export const handler = endpoint(
  {
    method: 'GET',
    path: '/api/webhooks/{id}/deliveries/{deliveryId}',
    summary: 'Get one delivery attempt',
    description:
      'Returns one attempt with its result: the HTTP status, the duration, and the beginning of the response.',
    access: orApplication(scopeAdmin('webhooks:read')),
    params: DeliveryPath,
    status: 200,
    data: DeliveryView,
    errors: ['webhook_endpoint_not_found', 'delivery_not_found'],
    needs: ['table:read'],
    prefetch: deliveryKeys,
  },
  ({ ctx, workspace, params, prefetched }) => {
    findEndpointOrDeleted(prefetched, workspace.id, params.id)
    return viewDelivery(findDelivery(ctx, prefetched, { workspaceId: workspace.id, params }))
  },
)
