import { workspaceOwner } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { applicationKeys, findApplication, removeApplication } from '../../../shared/applications/application.ts'
import { actorOf } from '../../../shared/audit/actor.ts'
import { Deleted } from '../../../shared/http/deleted.ts'

export const handler = endpoint(
  {
    method: 'DELETE',
    path: '/api/application',
    summary: 'Remove the application',
    description: 'Delete its child workspaces and revoke its tokens first.',
    access: workspaceOwner,
    status: 200,
    data: Deleted,
    errors: ['application_not_found', 'application_in_use', 'concurrent_update'],
    needs: ['table:read', 'table:write'],
    prefetch: applicationKeys,
  },
  async (call) => {
    const application = findApplication(call.prefetched, call.workspace.id)
    await removeApplication(call.ctx, call.workspace, application, actorOf(call))
    return { id: application.id, deleted: true as const }
  },
)
