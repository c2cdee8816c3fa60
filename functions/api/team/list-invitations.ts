import * as z from 'zod/mini'
import { workspaceAdminUnpaid } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { idPath } from '../../../shared/http/id.ts'
import { pageOf, pageQuery } from '../../../shared/http/page.ts'
import { InvitationView, listInvitations } from '../../../shared/workspaces/list-invitations.ts'

export const handler = endpoint(
  {
    method: 'GET',
    path: '/api/workspaces/{id}/invitations',
    summary: 'List pending invitations',
    description: 'Lists the invitations that were neither accepted nor revoked and have not expired, newest first.',
    access: workspaceAdminUnpaid,
    params: idPath('The ID of the workspace, the same as in `X-Workspace-Id`.'),
    query: z.strictObject(pageQuery),
    status: 200,
    data: pageOf(InvitationView),
    errors: [],
    needs: ['table:read'],
  },
  ({ ctx, workspace, query }) => listInvitations(ctx, workspace.id, query),
)
