import { orApplication, workspaceAdmin } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { actorOf } from '../../../shared/audit/actor.ts'
import { Deleted } from '../../../shared/http/deleted.ts'
import { idPath } from '../../../shared/http/id.ts'
import { endpointKeys, findEndpoint } from '../../../shared/webhooks/endpoints/find.ts'
import { removeEndpoint } from '../../../shared/webhooks/endpoints/remove.ts'

export const handler = endpoint(
  {
    method: 'DELETE',
    path: '/api/webhooks/{id}',
    summary: 'Delete a webhook endpoint',
    description: 'Stops all deliveries to the endpoint, pending ones too. Its log stays until it expires.',
    access: orApplication(workspaceAdmin),
    params: idPath('The ID of the endpoint, `whe_…`.'),
    status: 200,
    data: Deleted,
    errors: ['webhook_endpoint_not_found', 'concurrent_update'],
    needs: ['table:read', 'table:write'],
    prefetch: endpointKeys,
  },
  async (call) => {
    const { ctx, workspace, params, prefetched } = call
    await removeEndpoint(ctx, workspace, findEndpoint(prefetched, workspace.id, params.id), actorOf(call))
    return { id: params.id, deleted: true as const }
  },
)
