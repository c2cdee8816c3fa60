import { workspaceAdminUnpaid } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { actorOf } from '../../../shared/audit/actor.ts'
import { createDownloadLink, DownloadLinkView } from '../../../shared/export/create-link.ts'
import { ExportPath, exportKeys, findExport } from '../../../shared/export/find.ts'

export const handler = endpoint(
  {
    method: 'POST',
    path: '/api/workspaces/{id}/export/{exportId}/download',
    summary: 'Create a download link',
    description:
      'The link works once, for an hour, and replaces the previous one. A GET redirects to the archive; start the download within a minute. If the download fails, create another link: the archive stays for an hour after its first download.',
    access: workspaceAdminUnpaid,
    params: ExportPath,
    status: 201,
    data: DownloadLinkView,
    errors: ['export_not_found', 'export_not_ready', 'concurrent_update'],
    needs: ['table:read', 'table:write'],
    prefetch: exportKeys,
    secret: true,
  },
  (call) => {
    const { ctx, workspace, params, principal, prefetched } = call
    const ready = findExport(ctx, prefetched, { workspaceId: workspace.id, params })
    return createDownloadLink(ctx, ready, { ...actorOf(call), userId: principal.userId })
  },
)
