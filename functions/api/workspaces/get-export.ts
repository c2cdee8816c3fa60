import { workspaceAdminUnpaid } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { ExportView, viewExport } from '../../../shared/export/export.ts'
import { ExportPath, exportKeys, findExport } from '../../../shared/export/find.ts'

export const handler = endpoint(
  {
    method: 'GET',
    path: '/api/workspaces/{id}/export/{exportId}',
    summary: 'Get an export',
    description: 'Shows the status and the progress. Exports stay listed for 30 days after their archive is deleted.',
    access: workspaceAdminUnpaid,
    params: ExportPath,
    status: 200,
    data: ExportView,
    errors: ['export_not_found'],
    needs: ['table:read'],
    prefetch: exportKeys,
  },
  ({ ctx, workspace, params, prefetched }) =>
    viewExport(findExport(ctx, prefetched, { workspaceId: workspace.id, params })),
)
