import { orApplication, workspaceAdmin } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { idPath } from '../../../shared/http/id.ts'
import { EndpointView } from '../../../shared/webhooks/endpoints/endpoint.ts'
import { endpointAndHealthKeys, findEndpoint, findHealth } from '../../../shared/webhooks/endpoints/find.ts'
import { viewEndpoint } from '../../../shared/webhooks/endpoints/view.ts'

export const handler = endpoint(
  {
    method: 'GET',
    path: '/api/webhooks/{id}',
    summary: 'Get a webhook endpoint',
    description:
      'Returns one endpoint with its health: whether deliveries fail, since when, and the time of the next attempt.',
    access: orApplication(workspaceAdmin),
    params: idPath('The ID of the endpoint, `whe_…`.'),
    status: 200,
    data: EndpointView,
    errors: ['webhook_endpoint_not_found'],
    needs: ['table:read'],
    prefetch: endpointAndHealthKeys,
  },
  ({ workspace, params, prefetched }) => {
    const hook = findEndpoint(prefetched, workspace.id, params.id)
    return viewEndpoint(hook, findHealth(prefetched, hook))
  },
)
