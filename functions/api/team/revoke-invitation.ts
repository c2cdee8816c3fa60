import * as z from 'zod/mini'
import { workspaceAdminUnpaid } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { Deleted } from '../../../shared/http/deleted.ts'
import { Id } from '../../../shared/http/id.ts'
import { invitationKeys, revokeInvitation } from '../../../shared/workspaces/revoke-invitation.ts'

export const handler = endpoint(
  {
    method: 'DELETE',
    path: '/api/workspaces/{id}/invitations/{invitationId}',
    summary: 'Revoke an invitation',
    description: 'The link in the email stops working.',
    access: workspaceAdminUnpaid,
    params: z.object({ id: Id, invitationId: Id }),
    status: 200,
    data: Deleted,
    errors: ['invitation_not_found', 'insufficient_role', 'concurrent_update'],
    needs: ['table:read', 'table:write'],
    prefetch: invitationKeys,
  },
  async ({ ctx, member, params, prefetched }) => {
    await revokeInvitation(ctx, member, prefetched, params.invitationId)
    return { id: params.invitationId, deleted: true as const }
  },
)
