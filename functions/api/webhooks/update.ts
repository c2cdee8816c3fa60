import { workspaceAdmin } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { IdPath } from '../../../shared/http/id.ts'
import { EndpointView } from '../../../shared/webhooks/endpoints/endpoint.ts'
import { endpointAndHealthKeys, findEndpoint, findHealth } from '../../../shared/webhooks/endpoints/find.ts'
import { UpdateWebhookRequest } from '../../../shared/webhooks/endpoints/requests.ts'
import { updateEndpoint } from '../../../shared/webhooks/endpoints/update.ts'

export const handler = endpoint(
  {
    method: 'PATCH',
    path: '/api/webhooks/{id}',
    summary: 'Update a webhook endpoint',
    access: workspaceAdmin,
    params: IdPath,
    body: UpdateWebhookRequest,
    status: 200,
    data: EndpointView,
    errors: ['webhook_endpoint_not_found', 'url_not_allowed', 'concurrent_update'],
    needs: ['table:read', 'table:write', 'origins'],
    prefetch: endpointAndHealthKeys,
  },
  ({ ctx, workspace, params, body, prefetched }) => {
    const hook = findEndpoint(prefetched, workspace.id, params.id)
    return updateEndpoint(ctx, workspace, hook, findHealth(prefetched, hook), body)
  },
)
