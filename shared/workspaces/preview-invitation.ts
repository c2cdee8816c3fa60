import type { Context } from '../context.ts'
import { allOf, equal } from '../db/expression.ts'
import type { Write } from '../db/table.ts'
import { Refusal } from '../errors/refusal.ts'
import { findInvitation, type Invitation } from './invitation.ts'
import { asRead, teamRights } from './team-rights.ts'
import { type Member, members } from './workspace.ts'

/**
 * Decided: an invitation ends with its inviter's right to invite. It cannot be accepted while they are suspended, have left,
 * or have a role that may not send it. For an inviter who left and returned, earlier invitations stay invalid.
 */
export const inviterMayInvite = (
  { role, createdAt }: Pick<Invitation, 'role' | 'createdAt'>,
  inviter: Member | undefined,
): inviter is Member =>
  inviter?.status === 'active' && inviter.createdAt <= createdAt && teamRights[inviter.role].invite.includes(role)

/** The refusal of an invitation whose inviter has lost the right to send it. */
export const inviterMayNoLongerInvite = (): Refusal =>
  new Refusal(
    'invalid',
    'The person who sent this invitation can no longer invite to the workspace. Ask for a new one.',
    { code: 'invitation_void', field: 'token' },
  )

/** The condition that the inviter's membership has not changed since it was read. */
export const inviterAsRead = (inviter: Member): Write => ({
  check: members.key(inviter),
  when: allOf(asRead(inviter), equal('createdAt', inviter.createdAt)),
})

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
