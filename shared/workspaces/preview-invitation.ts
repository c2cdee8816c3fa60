import type { Context } from '../context.ts'
import { findInvitation, type Invitation } from './invitation.ts'
import { inviterMayInvite, inviterMayNoLongerInvite } from './inviter.ts'
import { members } from './member.ts'

/** What the holder of an invitation's token is shown before they accept. */
export interface InvitationPreview {
  workspaceName: string
  inviterName: string
  role: Invitation['role']
  /** The address the invitation was sent to: only a session of it may accept. */
  email: string
  expiresAt: string
  /** Used already; whoever used it is answered once more by accepting again. */
  accepted: boolean
}

/**
 * Shows an invitation; refuses with 404 `invitation_not_found` a token that is unknown, revoked, or too old, and with 400
 * `invitation_void` one whose inviter may no longer invite.
 */
export const previewInvitation = async (ctx: Context, token: string): Promise<InvitationPreview> => {
  const { invitation, workspace } = await findInvitation(ctx, token)
  const { inviterName, role, email, expiresAt, acceptedBy, invitedBy } = invitation
  if (acceptedBy === undefined) {
    const inviter = await members.get(ctx, { workspaceId: workspace.id, userId: invitedBy })
    if (!inviterMayInvite(invitation, inviter)) throw inviterMayNoLongerInvite()
  }
  return { workspaceName: workspace.name, inviterName, role, email, expiresAt, accepted: acceptedBy !== undefined }
}
