import * as z from 'zod/mini'
import { session } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { actorOf } from '../../../shared/audit/actor.ts'
import { described } from '../../../shared/http/described.ts'
import { sessionOf } from '../../../shared/identity/session.ts'
import { acceptInvitation } from '../../../shared/workspaces/accept-invitation.ts'
import { WorkspaceView } from '../../../shared/workspaces/workspace.ts'

export const handler = endpoint(
  {
    method: 'POST',
    path: '/api/team/invitations/accept',
    summary: 'Accept an invitation',
    description:
      'Requires the session of the invited address. The link works once; the same person can repeat the call.',
    access: session,
    body: z.strictObject({
      token: described(z.string().check(z.minLength(1), z.maxLength(200)), 'The token in the link of the email.'),
    }),
    status: 200,
    data: WorkspaceView,
    errors: [
      'invitation_not_found',
      'invitation_already_used',
      'invitation_void',
      'invitation_email_mismatch',
      'membership_suspended',
      'member_limit',
      'plan_limit_reached',
      'concurrent_update',
    ],
    needs: ['table:read', 'table:write'],
  },
  (call) => {
    const { ctx, principal, body } = call
    const { userId, email } = sessionOf(principal)
    return acceptInvitation(ctx, { token: body.token, userId, email }, actorOf(call))
  },
)
