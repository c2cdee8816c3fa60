import * as z from 'zod/mini'
import { session } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { sessionOf } from '../../../shared/identity/session.ts'
import { acceptInvitation } from '../../../shared/workspaces/accept-invitation.ts'
import { WorkspaceView } from '../../../shared/workspaces/workspace.ts'

export const handler = endpoint(
  {
    method: 'POST',
    path: '/api/team/invitations/accept',
    summary: 'Accept an invitation',
    description: 'Takes the session of the address the invitation was sent to, once; the same person may repeat it.',
    access: session,
    body: z.strictObject({ token: z.string().check(z.minLength(1), z.maxLength(200)) }),
    status: 200,
    data: WorkspaceView,
    errors: [
      'invitation_not_found',
      'invitation_already_used',
      'invitation_void',
      'invitation_email_mismatch',
      'membership_suspended',
      'member_limit',
      'concurrent_update',
    ],
    needs: ['table:read', 'table:write'],
  },
  ({ ctx, principal, body }) => {
    const { userId, email } = sessionOf(principal)
    return acceptInvitation(ctx, { token: body.token, userId, email })
  },
)
