import { workspaceAdmin } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { IdPath } from '../../../shared/http/id.ts'
import { updateWorkspace, WorkspaceChange } from '../../../shared/workspaces/update.ts'
import { viewWorkspace, WorkspaceView } from '../../../shared/workspaces/workspace.ts'

export const handler = endpoint(
  {
    method: 'PATCH',
    path: '/api/workspaces/{id}',
    summary: 'Update a workspace',
    description: 'Changes name, logo, or time zone. The slug never changes.',
    access: workspaceAdmin,
    params: IdPath,
    body: WorkspaceChange,
    status: 200,
    data: WorkspaceView,
    errors: [],
    needs: ['table:read', 'table:write'],
  },
  async ({ ctx, workspace, member, body }) =>
    viewWorkspace(ctx, await updateWorkspace(ctx, workspace, body), member.role),
)
