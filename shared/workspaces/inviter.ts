import { allOf, equal } from '../db/expression.ts'
import type { Write } from '../db/table.ts'
import { Refusal } from '../errors/refusal.ts'
import type { Invitation } from './invitation.ts'
import { type Member, members } from './member.ts'
import { asRead, teamRights } from './team-rights.ts'

/**
 * Decided: an invitation ends with its inviter's right to invite. It cannot be accepted while they are suspended, have
 * left, or have a role that may not send it. An inviter who left and returned has sent nothing as the new member.
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

/** The condition that the inviter's membership is as it was read. */
export const inviterAsRead = (inviter: Member): Write => ({
  check: members.key(inviter),
  when: allOf(asRead(inviter), equal('createdAt', inviter.createdAt)),
})
