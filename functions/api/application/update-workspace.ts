import { orApplication, workspaceAdmin } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { applicationKeys, findApplication } from '../../../shared/applications/application.ts'
import { ChildLimits, ChildWorkspaceView, changeChildLimits } from '../../../shared/applications/child-workspace.ts'
import { actorOf } from '../../../shared/audit/actor.ts'
import { idPath } from '../../../shared/http/id.ts'

export const handler = endpoint(
  {
    method: 'PATCH',
    path: '/api/application/workspaces/{id}',
    summary: 'Change the limits of a child workspace',
    description:
      'Its cap on X, its rate, and its quotas. Name, logo, brand color, time zone, and redirect URLs change with `PATCH /api/workspaces/{id}`.',
    access: orApplication(workspaceAdmin),
    params: idPath('The ID of the child workspace.'),
    body: ChildLimits,
    status: 200,
    data: ChildWorkspaceView,
    errors: ['application_not_found', 'child_workspace_not_found', 'quota_exceeded', 'concurrent_update'],
    needs: ['table:read', 'table:write'],
    prefetch: applicationKeys,
  },
  (call) => {
    const { ctx, workspace: home, prefetched, params, body } = call
    const application = findApplication(prefetched, home.id)
    return changeChildLimits(ctx, { home, application, childId: params.id }, body, actorOf(call))
  },
)
