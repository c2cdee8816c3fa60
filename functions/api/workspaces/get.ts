import { scopeUnpaid } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { idPath } from '../../../shared/http/id.ts'
import { viewWorkspace, WorkspaceView } from '../../../shared/workspaces/workspace.ts'

export const handler = endpoint(
  {
    method: 'GET',
    path: '/api/workspaces/{id}',
    summary: 'Get a workspace',
    description: 'Returns one workspace with its plan and your role. Works without a paid plan.',
    access: scopeUnpaid('workspace:read'),
    params: idPath('The ID of the workspace, the same as in `X-Workspace-Id`.'),
    status: 200,
    data: WorkspaceView,
    errors: [],
    needs: ['table:read'],
  },
  ({ ctx, workspace, member }) => viewWorkspace(ctx, workspace, member.role),
)
