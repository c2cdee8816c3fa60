import { workspaceAdmin } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { Deleted } from '../../../shared/http/deleted.ts'
import { IdPath } from '../../../shared/http/id.ts'
import { endpointKeys, findEndpoint } from '../../../shared/webhooks/endpoints/find.ts'
import { removeEndpoint } from '../../../shared/webhooks/endpoints/remove.ts'

export const handler = endpoint(
  {
    method: 'DELETE',
    path: '/api/webhooks/{id}',
    summary: 'Delete a webhook endpoint; its log stays until it expires',
    access: workspaceAdmin,
    params: IdPath,
    status: 200,
    data: Deleted,
    errors: ['webhook_endpoint_not_found', 'concurrent_update'],
    needs: ['table:read', 'table:write'],
    prefetch: endpointKeys,
  },
  async ({ ctx, workspace, params, prefetched }) => {
    await removeEndpoint(ctx, workspace, findEndpoint(prefetched, workspace.id, params.id))
    return { id: params.id, deleted: true as const }
  },
)
