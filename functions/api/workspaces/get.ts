import { scopeUnpaid } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { IdPath } from '../../../shared/http/id.ts'
import { viewWorkspace, WorkspaceView } from '../../../shared/workspaces/workspace.ts'

export const handler = endpoint(
  {
    method: 'GET',
    path: '/api/workspaces/{id}',
    summary: 'Get a workspace',
    access: scopeUnpaid('workspace:read'),
    params: IdPath,
    status: 200,
    data: WorkspaceView,
    errors: [],
    needs: ['table:read'],
  },
  ({ ctx, workspace, member }) => viewWorkspace(ctx, workspace, member.role),
)
