import { orApplication, workspaceAdmin } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { actorOf } from '../../../shared/audit/actor.ts'
import { idPath } from '../../../shared/http/id.ts'
import { EndpointView } from '../../../shared/webhooks/endpoints/endpoint.ts'
import { endpointAndHealthKeys, findEndpoint, findHealth } from '../../../shared/webhooks/endpoints/find.ts'
import { UpdateWebhookRequest } from '../../../shared/webhooks/endpoints/requests.ts'
import { updateEndpoint } from '../../../shared/webhooks/endpoints/update.ts'

export const handler = endpoint(
  {
    method: 'PATCH',
    path: '/api/webhooks/{id}',
    summary: 'Update a webhook endpoint',
    description:
      'Changes name, URL, events, or whether the endpoint receives anything. Omitted fields keep their values. `enabled: true` or another `url` starts an endpoint again that the service disabled.',
    access: orApplication(workspaceAdmin),
    params: idPath('The ID of the endpoint, `whe_…`.'),
    body: UpdateWebhookRequest,
    status: 200,
    data: EndpointView,
    errors: ['webhook_endpoint_not_found', 'url_not_allowed', 'concurrent_update'],
    needs: ['table:read', 'table:write', 'origins'],
    prefetch: endpointAndHealthKeys,
  },
  (call) => {
    const { ctx, workspace, params, body, prefetched } = call
    const hook = findEndpoint(prefetched, workspace.id, params.id)
    const change = { endpoint: hook, health: findHealth(prefetched, hook), request: body }
    return updateEndpoint(ctx, workspace, change, actorOf(call))
  },
)
