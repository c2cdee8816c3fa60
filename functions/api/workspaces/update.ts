import { workspaceAdmin } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { actorOf } from '../../../shared/audit/actor.ts'
import { idPath } from '../../../shared/http/id.ts'
import { assertMayChange, updateWorkspace, WorkspaceChange } from '../../../shared/workspaces/update.ts'
import { viewWorkspace, WorkspaceView } from '../../../shared/workspaces/workspace.ts'

export const handler = endpoint(
  {
    method: 'PATCH',
    path: '/api/workspaces/{id}',
    summary: 'Update a workspace',
    description:
      'Changes name, logo, brand color, time zone, whether assistants may act for members, or the URLs that people may return to after they connect an account. The slug never changes.',
    access: workspaceAdmin,
    params: idPath('The ID of the workspace, the same as in `X-Workspace-Id`.'),
    body: WorkspaceChange,
    status: 200,
    data: WorkspaceView,
    errors: ['concurrent_update'],
    needs: ['table:read', 'table:write'],
  },
  async (call) => {
    const { ctx, workspace, member, body } = call
    assertMayChange(body, member)
    return viewWorkspace(ctx, await updateWorkspace(ctx, workspace, body, actorOf(call)), member.role)
  },
)
