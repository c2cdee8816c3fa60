import { orApplication, scopeAdmin } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { actorOf } from '../../../shared/audit/actor.ts'
import {
  assertEventStored,
  DeliveryPath,
  findDelivery,
  redeliveryKeys,
} from '../../../shared/webhooks/deliveries/find.ts'
import { redeliver } from '../../../shared/webhooks/deliveries/redeliver.ts'
import { DeliveryView } from '../../../shared/webhooks/deliveries/view.ts'
import { assertEnabled, findEndpoint } from '../../../shared/webhooks/endpoints/find.ts'

export const handler = endpoint(
  {
    method: 'POST',
    path: '/api/webhooks/{id}/deliveries/{deliveryId}/redeliver',
    summary: 'Redeliver the event of an attempt',
    description:
      'Returns the new attempt: the same event id, a new delivery id, and all tries of the schedule again. If an attempt of the event is pending, that one is sent now. Failing endpoints are sent to as well.',
    access: orApplication(scopeAdmin('webhooks:read')),
    params: DeliveryPath,
    status: 202,
    data: DeliveryView,
    errors: [
      'webhook_endpoint_not_found',
      'delivery_not_found',
      'event_not_found',
      'webhook_endpoint_disabled',
      'test_not_redeliverable',
      'delivery_attempt_limit',
      'concurrent_update',
    ],
    needs: ['table:read', 'table:write', 'queue:deliver'],
    prefetch: redeliveryKeys,
  },
  (call) => {
    const { ctx, workspace, params, prefetched } = call
    const target = { workspaceId: workspace.id, params }
    const hook = findEndpoint(prefetched, workspace.id, params.id)
    const delivery = findDelivery(ctx, prefetched, target)
    assertEventStored(ctx, prefetched, target)
    assertEnabled(hook)
    return redeliver(ctx, delivery, actorOf(call))
  },
)
