import { workspaceAdminUnpaid } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { actorOf } from '../../../shared/audit/actor.ts'
import { ExportView } from '../../../shared/export/export.ts'
import { requestExport } from '../../../shared/export/request.ts'
import { idPath } from '../../../shared/http/id.ts'

export const handler = endpoint(
  {
    method: 'POST',
    path: '/api/workspaces/{id}/export',
    summary: 'Export a workspace',
    description:
      'Makes a ZIP archive of everything in the workspace: its records as JSON lines, the logs of webhooks and events, the audit trail, and the media files. Secrets are left out. The archive is made in the background; an email says when it is ready. A workspace has one running export at a time, and five a day.',
    access: workspaceAdminUnpaid,
    params: idPath('The ID of the workspace, the same as in `X-Workspace-Id`.'),
    status: 202,
    data: ExportView,
    errors: ['export_in_progress', 'quota_rate_exceeded'],
    needs: ['table:read', 'table:write', 'count', 'queue:export'],
  },
  (call) => {
    const { ctx, workspace, principal } = call
    const actor = { ...actorOf(call), userId: principal.userId }
    return requestExport(ctx, workspace, actor)
  },
)
