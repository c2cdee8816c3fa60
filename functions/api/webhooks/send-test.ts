import { orApplication, workspaceAdmin } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { idPath } from '../../../shared/http/id.ts'
import { sendTest } from '../../../shared/webhooks/deliveries/send-test.ts'
import { DeliveryView } from '../../../shared/webhooks/deliveries/view.ts'
import { endpointKeys, findEndpoint } from '../../../shared/webhooks/endpoints/find.ts'

export const handler = endpoint(
  {
    method: 'POST',
    path: '/api/webhooks/{id}/test',
    summary: 'Send a test event through the real delivery pipeline',
    description:
      'An endpoint accepts about ten tests a minute. A test is not retried, and a failed one does not affect the health of the endpoint.',
    access: orApplication(workspaceAdmin),
    params: idPath('The ID of the endpoint, `whe_…`.'),
    status: 200,
    data: DeliveryView,
    errors: ['webhook_endpoint_not_found'],
    needs: ['table:read', 'table:write', 'queue:deliver'],
    prefetch: endpointKeys,
  },
  ({ ctx, workspace, params, prefetched }) =>
    sendTest(ctx, workspace, findEndpoint(prefetched, workspace.id, params.id)),
)
