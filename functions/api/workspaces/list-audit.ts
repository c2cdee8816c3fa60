import { workspaceAdminUnpaid } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { AuditQuery } from '../../../shared/audit/list.ts'
import { idPath } from '../../../shared/http/id.ts'
import { AuditPageView, listAudit } from '../../../shared/workspaces/list-audit.ts'

export const handler = endpoint(
  {
    method: 'GET',
    path: '/api/workspaces/{id}/audit',
    summary: 'List the audit trail, newest first',
    description:
      'Who changed what in the workspace within the last year: tokens, members, invitations, webhooks, connections, the plan, and settings. Changes of posts, drafts, media, and memories are not recorded. To read a trail of any length, follow `nextCursor` while `hasMore` is true: with a filter, a page may have fewer entries than `limit`, or none, and continue.',
    access: workspaceAdminUnpaid,
    params: idPath('The ID of the workspace, the same as in `X-Workspace-Id`.'),
    query: AuditQuery,
    status: 200,
    data: AuditPageView,
    errors: [],
    needs: ['table:read'],
  },
  ({ ctx, workspace, query }) => listAudit(ctx, workspace.id, query),
)
