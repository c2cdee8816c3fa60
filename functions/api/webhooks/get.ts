import { workspaceAdmin } from '../../../shared/http/contract.ts'
import { endpoint } from '../../../shared/http/endpoint.ts'
import { IdPath } from '../../../shared/http/id.ts'
import { EndpointView, viewEndpoint } from '../../../shared/webhooks/endpoint.ts'
import { endpointKeys, findEndpoint } from '../../../shared/webhooks/find.ts'

export const handler = endpoint(
  {
    method: 'GET',
    path: '/api/webhooks/{id}',
    summary: 'Get a webhook endpoint',
    access: workspaceAdmin,
    params: IdPath,
    status: 200,
    data: EndpointView,
    refuses: ['missing'],
    needs: ['table:read'],
    reads: endpointKeys,
  },
  ({ workspace, params, found }) => viewEndpoint(findEndpoint(found, workspace.id, params.id)),
)
