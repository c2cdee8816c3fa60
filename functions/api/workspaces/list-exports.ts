import * as z from 'zod/mini'
import { workspaceAdminUnpaid } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { ExportView } from '../../../shared/export/export.ts'
import { listExports } from '../../../shared/export/find.ts'
import { idPath } from '../../../shared/http/id.ts'

export const handler = endpoint(
  {
    method: 'GET',
    path: '/api/workspaces/{id}/exports',
    summary: 'List exports',
    description: 'Returns all exports that are listed, newest first.',
    access: workspaceAdminUnpaid,
    params: idPath('The ID of the workspace, the same as in `X-Workspace-Id`.'),
    status: 200,
    data: z.array(ExportView),
    errors: [],
    needs: ['table:read'],
  },
  ({ ctx, workspace }) => listExports(ctx, workspace.id),
)
