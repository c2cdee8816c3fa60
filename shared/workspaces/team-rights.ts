import { allOf, type Condition, equal } from '../db/expression.ts'
import { Refusal } from '../errors/refusal.ts'
import type { Member, Role } from './workspace.ts'

/** What one member can do to another, or to an invitation as if the invited person were a member. */
export type TeamAct = 'changeRole' | 'suspend' | 'reactivate' | 'remove' | 'makeOwner' | 'invite' | 'revokeInvitation'

type Rights = Readonly<Record<TeamAct, readonly Role[]>>

const everybodyElse: readonly Role[] = ['admin', 'member']

/** The roles that each role can act on. Decided: admins manage members, and only the owner appoints and removes admins. */
export const teamRights: Readonly<Record<Role, Rights>> = {
  owner: {
    changeRole: everybodyElse,
    suspend: everybodyElse,
    reactivate: everybodyElse,
    remove: everybodyElse,
    makeOwner: everybodyElse,
    invite: everybodyElse,
    revokeInvitation: everybodyElse,
  },
  admin: {
    changeRole: [],
    suspend: ['member'],
    reactivate: ['member'],
    remove: ['member'],
    makeOwner: [],
    invite: ['member'],
    revokeInvitation: ['member'],
  },
  member: { changeRole: [], suspend: [], reactivate: [], remove: [], makeOwner: [], invite: [], revokeInvitation: [] },
}

/** Rejects what a role may not do to another; no role can act on the owner. */
export const assertRight = (act: TeamAct, own: Role, other: Role): void => {
  if (teamRights[own][act].includes(other)) return
  if (other === 'owner') {
    throw new Refusal('forbidden', 'You cannot do this to the owner. The owner must transfer the ownership first.', {
      code: 'owner_protected',
    })
  }
  const whom = other === 'admin' ? 'an admin' : 'a member'
  throw new Refusal('forbidden', `Only the owner of the workspace can do this to ${whom}.`, {
    code: 'insufficient_role',
  })
}

/** Requires that a membership has not changed since it was read. */
export const asRead = ({ role, status }: Member): Condition => allOf(equal('role', role), equal('status', status))
