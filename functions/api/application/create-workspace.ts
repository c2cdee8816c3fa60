import { orApplication, workspaceAdmin } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { applicationKeys, findApplication } from '../../../shared/applications/application.ts'
import {
  ChildWorkspaceView,
  CreateChildWorkspace,
  createChildWorkspace,
} from '../../../shared/applications/child-workspace.ts'
import { actorOf } from '../../../shared/audit/actor.ts'

export const handler = endpoint(
  {
    method: 'POST',
    path: '/api/application/workspaces',
    summary: 'Create a child workspace',
    description:
      'A workspace for one customer. The application owns it: its tokens can call every operation there that is not about a person. `DELETE /api/workspaces/{id}` closes it, and with it its connections and scheduled posts.',
    access: orApplication(workspaceAdmin),
    body: CreateChildWorkspace,
    status: 201,
    data: ChildWorkspaceView,
    errors: ['application_not_found', 'external_id_taken', 'slug_taken', 'quota_exceeded', 'concurrent_update'],
    needs: ['table:read', 'table:write', 'kms:encrypt'],
    prefetch: applicationKeys,
  },
  (call) => {
    const { ctx, workspace: home, prefetched, body } = call
    const application = findApplication(prefetched, home.id)
    return createChildWorkspace(ctx, { home, application }, body, actorOf(call))
  },
)
