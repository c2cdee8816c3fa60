import * as z from 'zod/mini'
import { personScope } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { listBoundWorkspace, listWorkspaces } from '../../../shared/workspaces/list.ts'
import { WorkspaceView } from '../../../shared/workspaces/workspace.ts'

export const handler = endpoint(
  {
    method: 'GET',
    path: '/api/workspaces',
    summary: 'List your workspaces',
    description:
      'Includes unpaid workspaces, with `hasAccess` false. A personal access token sees only its own workspace.',
    access: personScope('workspace:read'),
    status: 200,
    data: z.array(WorkspaceView),
    errors: ['not_a_member'],
    needs: ['table:read'],
  },
  ({ ctx, principal }) =>
    principal.kind !== 'session'
      ? listBoundWorkspace(ctx, principal.userId, principal.workspaceId)
      : listWorkspaces(ctx, principal.userId),
)
