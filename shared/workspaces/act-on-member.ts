import type * as z from 'zod/mini'
import type { AuditAction } from '../audit/actions.ts'
import { type Actor, actorOf, type Caller } from '../audit/actor.ts'
import { commit, type Unit } from '../commit/commit.ts'
import type { Context } from '../context.ts'
import { currentOrThrow } from '../db/condition-failed.ts'
import type { BatchRows, Key, Write } from '../db/table.ts'
import { Refusal } from '../errors/refusal.ts'
import { personExists, users } from '../identity/user.ts'
import { logSecurity } from '../security-log.ts'
import { endMembership } from './end-membership.ts'
import { type MemberView, viewMember } from './list-members.ts'
import { asRead, assertRight } from './team-rights.ts'
import { type Member, members } from './workspace.ts'

type View = z.infer<typeof MemberView>

/** One member who acts on another in the same workspace, both as they were read. */
export interface Pair {
  actor: Member
  other: Member
}

/** The rows of a member, read together with the authorization. */
export const memberKeys = (workspaceId: string, userId: string): Key[] => [
  members.key({ workspaceId, userId }),
  users.key({ id: userId }),
]

/** The rows of the member in the path, read together with the authorization. */
export const otherKeys = ({ workspaceId, params }: { workspaceId: string; params: { userId: string } }): Key[] =>
  memberKeys(workspaceId, params.userId)

/** The caller and the named member; throws 404 if the workspace has no such person. An application is none. */
export const findPair = (rows: BatchRows, actor: Member, userId: string): Pair => {
  if (userId === actor.userId) {
    throw new Refusal('forbidden', 'You cannot do this to yourself. Ask another admin, or leave the workspace.', {
      code: 'cannot_act_on_self',
    })
  }
  const other = members.from(rows, { workspaceId: actor.workspaceId, userId })
  if (other && !other.application) return { actor, other }
  throw new Refusal('missing', `This workspace has no member ${userId}.`, { code: 'member_not_found', field: 'userId' })
}

/** The errors of a route by which one member acts on another. */
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

/** A change of another member: what it sets, and how it is recorded. */
interface MemberChange {
  set: Partial<Pick<Member, 'role' | 'status'>>
  /** What it sets for the caller. */
  actorSet?: Partial<Pick<Member, 'role'>>
  action: AuditAction
}

/**
 * Changes the other member if both have not changed since they were read: a caller who lost their role in the meantime
 * changes nothing.
 */
const change = async (ctx: Context, { actor, other }: Pair, { set, actorSet, action }: MemberChange, by: Actor) => {
  const own: Write = actorSet
    ? { update: members.key(actor), change: { set: actorSet }, when: asRead(actor) }
    : { check: members.key(actor), when: asRead(actor) }
  const { workspaceId, userId, role, status } = other
  const before = { role, status }
  // No ownership is transferred to an account that is being deleted.
  const exists = set.role === 'owner' ? [personExists(userId)] : []
  const unit: Unit = {
    writes: [{ update: members.key(other), change: { set }, when: asRead(other) }, own, ...exists],
    audit: { by, action, target: { type: 'member', id: userId }, before, after: { ...before, ...set } },
  }
  await currentOrThrow(commit(ctx, { id: workspaceId }, unit), justChanged)
}

export const changeRole = async (
  ctx: Context,
  pair: Pair,
  { role, rows }: { role: 'admin' | 'member'; rows: BatchRows },
  by: Actor,
): Promise<View> => {
  assertRight('changeRole', pair.actor.role, pair.other.role)
  if (pair.other.role !== role) {
    await change(ctx, pair, { set: { role }, action: 'member.role_changed' }, by)
    logSecurity(ctx, 'authz_change', { targetUserId: pair.other.userId, from: pair.other.role, to: role })
  }
  return viewMember({ ...pair.other, role }, rows)
}

/** A call by which one member acts on another. */
interface MemberCall extends Caller {
  member: Member
  params: { userId: string }
  prefetched: BatchRows
}

/** Suspends a member from their next call on, or reactivates them; they stay a member. */
export const changeStatus = async (call: MemberCall, status: Member['status']): Promise<View> => {
  const { ctx, prefetched } = call
  const pair = findPair(prefetched, call.member, call.params.userId)
  assertRight(status === 'suspended' ? 'suspend' : 'reactivate', pair.actor.role, pair.other.role)
  if (pair.other.status !== status) {
    const action = status === 'suspended' ? 'member.suspended' : 'member.reactivated'
    await change(ctx, pair, { set: { status }, action }, actorOf(call))
    const event = status === 'suspended' ? 'member_suspended' : 'member_reactivated'
    logSecurity(ctx, event, { targetUserId: pair.other.userId })
  }
  return viewMember({ ...pair.other, status }, prefetched)
}

export const removeMember = async (ctx: Context, { actor, other }: Pair, by: Actor): Promise<void> => {
  assertRight('remove', actor.role, other.role)
  const check = { check: members.key(actor), when: asRead(actor) }
  await currentOrThrow(endMembership(ctx, other, 'member.removed', { by, checks: [check] }), justChanged)
  logSecurity(ctx, 'member_removed', { targetUserId: other.userId, role: other.role })
}

/**
 * Makes the other member the owner and the owner an admin in one transaction: there is exactly one owner at any time.
 */
export const transferOwnership = async (ctx: Context, pair: Pair, rows: BatchRows, by: Actor): Promise<View> => {
  assertRight('makeOwner', pair.actor.role, pair.other.role)
  if (pair.other.status === 'suspended') {
    throw new Refusal('conflict', 'A suspended member cannot become the owner. Reactivate them first.', {
      code: 'member_suspended',
    })
  }
  const action = 'workspace.ownership_transferred'
  await change(ctx, pair, { set: { role: 'owner' }, actorSet: { role: 'admin' }, action }, by)
  logSecurity(ctx, 'authz_change', { targetUserId: pair.other.userId, from: pair.other.role, to: 'owner' })
  return viewMember({ ...pair.other, role: 'owner' }, rows)
}

/** Ends the caller's own membership. Decided: the owner must transfer the ownership first, or delete the workspace. */
export const leaveWorkspace = async (ctx: Context, member: Member, by: Actor): Promise<void> => {
  if (member.role === 'owner') {
    throw new Refusal('conflict', 'The owner cannot leave. Transfer the ownership first, or delete the workspace.', {
      code: 'owner_cannot_leave',
    })
  }
  await currentOrThrow(endMembership(ctx, member, 'member.left', { by }), justChanged)
  logSecurity(ctx, 'member_left', { role: member.role })
}
