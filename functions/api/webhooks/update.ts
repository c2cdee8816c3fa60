import { workspaceAdmin } from '../../../shared/http/contract.ts'
import { endpoint } from '../../../shared/http/endpoint.ts'
import { IdPath } from '../../../shared/http/id.ts'
import { EndpointView, viewEndpoint } from '../../../shared/webhooks/endpoint.ts'
import { endpointKeys, findEndpoint } from '../../../shared/webhooks/find.ts'
import { UpdateWebhookRequest } from '../../../shared/webhooks/requests.ts'
import { updateEndpoint } from '../../../shared/webhooks/update.ts'

export const handler = endpoint(
  {
    method: 'PATCH',
    path: '/api/webhooks/{id}',
    summary: 'Change a webhook endpoint',
    access: workspaceAdmin,
    params: IdPath,
    body: UpdateWebhookRequest,
    status: 200,
    data: EndpointView,
    refuses: ['invalid', 'missing', 'conflict'],
    needs: ['table:read', 'table:write', 'origins'],
    reads: endpointKeys,
  },
  async ({ ctx, workspace, params, body, found }) =>
    viewEndpoint(await updateEndpoint(ctx, workspace, findEndpoint(found, workspace.id, params.id), body)),
)
