import { workspaceAdmin } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { actorOf } from '../../../shared/audit/actor.ts'
import { idPath } from '../../../shared/http/id.ts'
import { sessionOf } from '../../../shared/identity/session.ts'
import { countInvitation, InviteRequest, invite } from '../../../shared/workspaces/invite.ts'
import { InvitationView } from '../../../shared/workspaces/list-invitations.ts'

export const handler = endpoint(
  {
    method: 'POST',
    path: '/api/workspaces/{id}/invitations',
    summary: 'Invite a person by email',
    description:
      'The link in the email works once, for 7 days, and only for that address. Inviting the address again ends the old link.',
    access: workspaceAdmin,
    params: idPath('The ID of the workspace, the same as in `X-Workspace-Id`.'),
    body: InviteRequest,
    status: 201,
    data: InvitationView,
    errors: [
      'not_a_member',
      'insufficient_role',
      'already_member',
      'invitation_limit',
      'plan_limit_reached',
      'quota_rate_exceeded',
      'concurrent_update',
      'idempotency_key_in_use',
      'email_not_sent',
    ],
    needs: ['table:read', 'table:write', 'mail'],
  },
  async (call) => {
    const { ctx, workspace, principal, body } = call
    await countInvitation(ctx, workspace, body.email)
    return invite(ctx, { workspaceId: workspace.id, inviter: sessionOf(principal) }, body, actorOf(call))
  },
)
