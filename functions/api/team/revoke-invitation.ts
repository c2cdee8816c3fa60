import * as z from 'zod/mini'
import { workspaceAdminUnpaid } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { actorOf } from '../../../shared/audit/actor.ts'
import { Deleted } from '../../../shared/http/deleted.ts'
import { described } from '../../../shared/http/described.ts'
import { Id } from '../../../shared/http/id.ts'
import { invitationKeys, revokeInvitation } from '../../../shared/workspaces/revoke-invitation.ts'

export const handler = endpoint(
  {
    method: 'DELETE',
    path: '/api/workspaces/{id}/invitations/{invitationId}',
    summary: 'Revoke an invitation',
    description: 'The link in the email stops working.',
    access: workspaceAdminUnpaid,
    params: z.object({
      id: described(Id, 'The ID of the workspace, the same as in `X-Workspace-Id`.'),
      invitationId: described(Id, 'The ID of the invitation.'),
    }),
    status: 200,
    data: Deleted,
    errors: ['invitation_not_found', 'insufficient_role', 'concurrent_update'],
    needs: ['table:read', 'table:write'],
    prefetch: invitationKeys,
  },
  async (call) => {
    const { ctx, member, params, prefetched } = call
    await revokeInvitation(ctx, member, { rows: prefetched, id: params.invitationId }, actorOf(call))
    return { id: params.invitationId, deleted: true as const }
  },
)
