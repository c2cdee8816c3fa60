import type { Context } from '../context.ts'
import { batchGet } from '../db/table.ts'
import { Refusal } from '../errors/refusal.ts'
import { type Member, members, type Workspace, workspaces } from './workspace.ts'

/** A person's membership of a workspace. */
interface Membership {
  workspace: Workspace
  member: Member
}

const read = async (ctx: Context, userId: string, workspaceId: string) => {
  const rows = await batchGet(ctx, [members.key({ workspaceId, userId }), workspaces.key({ id: workspaceId })])
  return {
    member: members.from(rows, { workspaceId, userId }),
    // The row of a deleted workspace is removed before its members.
    workspace: workspaces.from(rows, { id: workspaceId }),
  }
}

/** The membership of a person who is an active member of a workspace. */
export const findMembership = async (
  ctx: Context,
  userId: string,
  workspaceId: string,
): Promise<Membership | undefined> => {
  const { member, workspace } = await read(ctx, userId, workspaceId)
  return member?.status === 'active' && workspace !== undefined ? { member, workspace } : undefined
}

export const notAMember = () =>
  new Refusal('forbidden', 'You are not a member of this workspace.', { code: 'not_a_member' })

/** The same; throws 403 if there is none. */
export const assertMembership = async (ctx: Context, userId: string, workspaceId: string): Promise<Membership> => {
  const { member, workspace } = await read(ctx, userId, workspaceId)
  if (member === undefined || workspace === undefined) throw notAMember()
  if (member.status === 'active') return { member, workspace }
  throw new Refusal('forbidden', 'You are suspended in this workspace. Ask its owner.', {
    code: 'membership_suspended',
  })
}
