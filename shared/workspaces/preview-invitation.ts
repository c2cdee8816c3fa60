import type { Context } from '../context.ts'
import { findInvitation, type Invitation } from './invitation.ts'
import { inviterMayInvite, inviterMayNoLongerInvite } from './inviter.ts'
import { members } from './member.ts'

/** What the holder of an invitation's token sees before they accept. */
export interface InvitationPreview {
  workspaceName: string
  inviterName: string
  role: Invitation['role']
  /** The invited address: only a session with it can accept. */
  email: string
  expiresAt: string
  /** Already accepted; the same person can repeat the call. */
  accepted: boolean
}

/**
 * Shows an invitation. Throws 404 `invitation_not_found` for a token that is unknown, revoked, or expired, and 400
 * `invitation_void` for one whose inviter can no longer invite.
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
