import type * as z from 'zod/mini'
import type { Context } from '../context.ts'
import { currentOrThrow } from '../db/condition-failed.ts'
import { type BatchRows, type Key, transact, type Write } from '../db/table.ts'
import { Refusal } from '../errors/refusal.ts'
import { users } from '../identity/user.ts'
import { logSecurity } from '../security-log.ts'
import { endMembership } from './end-membership.ts'
import { type MemberView, viewMember } from './list-members.ts'
import { type Member, members } from './member.ts'
import { asRead, assertRight } from './team-rights.ts'

type View = z.infer<typeof MemberView>

/** One member who acts on another of the same workspace, both as they were read. */
export interface Pair {
  actor: Member
  other: Member
}

/** The rows of a member, for the read that also authorizes. */
export const memberKeys = (workspaceId: string, userId: string): Key[] => [
  members.key({ workspaceId, userId }),
  users.key({ id: userId }),
]

/** The rows of the member a path names. */
export const otherKeys = ({ workspaceId, params }: { workspaceId: string; params: { userId: string } }): Key[] =>
  memberKeys(workspaceId, params.userId)

/** The pair of the caller and the member that is named; 404 where the workspace has none of that id. */
export const findPair = (found: BatchRows, actor: Member, userId: string): Pair => {
  if (userId === actor.userId) {
    throw new Refusal('forbidden', 'You cannot do this to yourself. Ask another admin, or leave the workspace.', {
      code: 'cannot_act_on_self',
    })
  }
  const other = members.from(found, { workspaceId: actor.workspaceId, userId })
  if (other) return { actor, other }
  throw new Refusal('missing', `This workspace has no member ${userId}.`, { code: 'member_not_found', field: 'userId' })
}

/** What a route throws by which one member acts on another. */
export const memberErrors = [
  'member_not_found',
  'cannot_act_on_self',
  'owner_protected',
  'insufficient_role',
  'concurrent_update',
] as const

const justChanged = () =>
  new Refusal('conflict', 'The team changed during the request. Read the members again, then retry.', {
    code: 'concurrent_update',
  })

/** Changes the other's place if both places are as they were read: whoever lost their right meanwhile changes nothing. */
const change = async (ctx: Context, { actor, other }: Pair, set: Partial<Member>, actorSet?: Partial<Member>) => {
  const own: Write = actorSet
    ? { update: members.key(actor), change: { set: actorSet }, when: asRead(actor) }
    : { check: members.key(actor), when: asRead(actor) }
  const writes = [{ update: members.key(other), change: { set }, when: asRead(other) }, own]
  await currentOrThrow(
    transact(ctx, () => writes),
    justChanged,
  )
}

export const changeRole = async (
  ctx: Context,
  pair: Pair,
  role: 'admin' | 'member',
  found: BatchRows,
): Promise<View> => {
  assertRight('changeRole', pair.actor.role, pair.other.role)
  if (pair.other.role !== role) {
    await change(ctx, pair, { role })
    logSecurity(ctx, 'authz_change', { targetUserId: pair.other.userId, from: pair.other.role, to: role })
  }
  return viewMember({ ...pair.other, role }, found)
}

/** Shuts somebody out of the workspace with their next call, or lets them in again; their place stays. */
export const changeStatus = async (
  ctx: Context,
  pair: Pair,
  status: Member['status'],
  found: BatchRows,
): Promise<View> => {
  assertRight(status === 'suspended' ? 'suspend' : 'reactivate', pair.actor.role, pair.other.role)
  if (pair.other.status !== status) {
    await change(ctx, pair, { status })
    const event = status === 'suspended' ? 'member_suspended' : 'member_reactivated'
    logSecurity(ctx, event, { targetUserId: pair.other.userId })
  }
  return viewMember({ ...pair.other, status }, found)
}

export const removeMember = async (ctx: Context, { actor, other }: Pair): Promise<void> => {
  assertRight('remove', actor.role, other.role)
  const removed = endMembership(ctx, other, [{ check: members.key(actor), when: asRead(actor) }])
  await currentOrThrow(removed, justChanged)
  logSecurity(ctx, 'member_removed', { targetUserId: other.userId, role: other.role })
}

/** Makes the other the owner and the owner an admin in one write: there is exactly one owner at any time. */
export const transferOwnership = async (ctx: Context, pair: Pair, found: BatchRows): Promise<View> => {
  assertRight('makeOwner', pair.actor.role, pair.other.role)
  if (pair.other.status === 'suspended') {
    throw new Refusal('conflict', 'A suspended member cannot become the owner. Reactivate them first.', {
      code: 'member_suspended',
    })
  }
  await change(ctx, pair, { role: 'owner' }, { role: 'admin' })
  logSecurity(ctx, 'authz_change', { targetUserId: pair.other.userId, from: pair.other.role, to: 'owner' })
  return viewMember({ ...pair.other, role: 'owner' }, found)
}

/** Ends one's own membership. Decided: the owner hands the workspace on first, or deletes it. */
export const leaveWorkspace = async (ctx: Context, member: Member): Promise<void> => {
  if (member.role === 'owner') {
    throw new Refusal('conflict', 'The owner cannot leave. Transfer the ownership first, or delete the workspace.', {
      code: 'owner_cannot_leave',
    })
  }
  await currentOrThrow(endMembership(ctx, member), justChanged)
  logSecurity(ctx, 'member_left', { role: member.role })
}
