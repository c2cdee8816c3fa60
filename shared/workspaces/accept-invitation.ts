import type * as z from 'zod/mini'
import type { Actor } from '../audit/actor.ts'
import { commit, type Unit } from '../commit/commit.ts'
import type { Context } from '../context.ts'
import { absent, allOf, equal } from '../db/expression.ts'
import { retryOnConflict } from '../db/retry-on-conflict.ts'
import type { Write } from '../db/table.ts'
import { Refusal } from '../errors/refusal.ts'
import { personExists } from '../identity/user.ts'
import { planOf } from '../plans/plans.ts'
import { logSecurity } from '../security-log.ts'
import { maskedEmail } from '../text/masked-email.ts'
import { findInvitation, type Invitation, type Invited, invitations } from './invitation.ts'
import { assertRoom, readTeam } from './list-members.ts'
import { inviterAsRead, inviterMayInvite, inviterMayNoLongerInvite } from './preview-invitation.ts'
import { workspaceRetries } from './retries.ts'
import { overPlan } from './subscription.ts'
import { bumpTeamVersion } from './team-change.ts'
import { type Member, members, membershipKey, viewWorkspace, type WorkspaceView } from './workspace.ts'

/** The person who accepts, with the verified address of their session, never from their input. */
export interface Acceptance {
  token: string
  userId: string
  email: string
}

const assertAddress = ({ email }: Invitation, own: string) => {
  if (email === own.toLowerCase()) return
  throw new Refusal(
    'forbidden',
    `This invitation was sent to another address (${maskedEmail(email)}). Sign in with that address.`,
    { code: 'invitation_email_mismatch' },
  )
}

const used = () =>
  new Refusal('invalid', 'This invitation was already used. Ask for a new one.', {
    code: 'invitation_already_used',
    field: 'token',
  })

const suspended = () =>
  new Refusal('forbidden', 'You are suspended in this workspace. Ask its owner.', { code: 'membership_suspended' })

/** The writes that make a person a member, if there is room and the inviter can still invite. */
const join = async (ctx: Context, { invitation, workspace }: Invited, userId: string, by: Actor): Promise<Unit> => {
  const { workspaceId, role, invitedBy } = invitation
  const team = await readTeam(ctx, workspaceId)
  const inviter = team.find((candidate) => candidate.userId === invitedBy)
  if (!inviterMayInvite(invitation, inviter)) throw inviterMayNoLongerInvite()
  assertRoom(team)
  const seats = planOf(workspace.subscription.planId)?.seats
  // The invitation had its seat when it was sent, unless the plan became smaller since.
  if (seats !== undefined && team.length >= seats) {
    throw overPlan(ctx, workspace, 'seats', { limit: seats, used: team.length })
  }
  const createdAt = new Date(ctx.clock.now()).toISOString()
  const member: Member = { workspaceId, userId, role, status: 'active', createdAt }
  return {
    writes: [
      inviterAsRead(inviter),
      { put: members.item(member), when: absent('PK') },
      { put: { ...membershipKey(userId, workspaceId), type: 'Membership' } },
      personExists(userId),
    ],
    audit: {
      by,
      action: 'member.joined',
      target: { type: 'member', id: userId },
      after: { role, status: member.status, invitationId: invitation.id, invitedBy },
    },
  }
}

const spend = ({ workspaceId, id, tokenHash }: Invitation, acceptedBy: string): Write => ({
  update: invitations.key({ workspaceId, id }),
  change: { set: { acceptedBy } },
  when: allOf(equal('tokenHash', tokenHash), absent('acceptedBy')),
})

/**
 * Makes the invited person a member, once; a repeat by the same person returns the same result. Throws 404 for a bad token,
 * 400 for a used one or one whose inviter can no longer invite, and 403 for the session of another address.
 */
export const acceptInvitation = (
  ctx: Context,
  { token, userId, email }: Acceptance,
  by: Actor,
): Promise<z.infer<typeof WorkspaceView>> =>
  retryOnConflict(workspaceRetries, async () => {
    const invited = await findInvitation(ctx, token, userId)
    const { invitation, workspace, member } = invited
    assertAddress(invitation, email)
    const { acceptedBy } = invitation
    if (acceptedBy !== undefined && (acceptedBy !== userId || member === undefined)) throw used()
    if (member?.status === 'suspended') throw suspended()
    if (acceptedBy !== undefined && member !== undefined) return viewWorkspace(ctx, workspace, member.role)
    const { writes, ...unit }: Unit = member === undefined ? await join(ctx, invited, userId, by) : { writes: [] }
    await commit(ctx, workspace, {
      ...unit,
      writes: [spend(invitation, userId), ...writes, bumpTeamVersion(workspace)],
    })
    if (member === undefined) {
      logSecurity(ctx, 'member_joined', { userId, workspaceId: workspace.id, role: invitation.role })
    }
    return viewWorkspace(ctx, workspace, member?.role ?? invitation.role)
  })
