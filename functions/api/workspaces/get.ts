import * as z from 'zod/mini'
import { Refusal } from '../../../shared/errors.ts'
import { scopeUnpaid } from '../../../shared/http/contract.ts'
import { endpoint } from '../../../shared/http/endpoint.ts'
import { viewWorkspace, WorkspaceView } from '../../../shared/workspaces/workspace.ts'

export const handler = endpoint(
  {
    method: 'GET',
    path: '/api/workspaces/{id}',
    summary: 'Get a workspace',
    access: scopeUnpaid('workspace:read'),
    params: z.object({ id: z.string() }),
    status: 200,
    data: WorkspaceView,
    refuses: ['missing'],
    needs: ['table:read'],
  },
  ({ workspace, member, params }) => {
    // Decided: path and header must name the same workspace.
    if (params.id !== workspace.id) {
      throw new Refusal('forbidden', 'The path and the header "X-Workspace-Id" name different workspaces.', {
        code: 'wrong_workspace',
      })
    }
    return viewWorkspace(workspace, member.role)
  },
)
