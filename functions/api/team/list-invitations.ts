import * as z from 'zod/mini'
import { workspaceAdminUnpaid } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { IdPath } from '../../../shared/http/id.ts'
import { pageOf, pageQuery } from '../../../shared/http/page.ts'
import { InvitationView, listInvitations } from '../../../shared/workspaces/list-invitations.ts'

export const handler = endpoint(
  {
    method: 'GET',
    path: '/api/workspaces/{id}/invitations',
    summary: 'List pending invitations',
    description: 'Newest first.',
    access: workspaceAdminUnpaid,
    params: IdPath,
    query: z.strictObject(pageQuery),
    status: 200,
    data: pageOf(InvitationView),
    errors: [],
    needs: ['table:read'],
  },
  ({ ctx, workspace, query }) => listInvitations(ctx, workspace.id, query),
)
