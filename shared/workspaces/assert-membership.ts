import type { Context } from '../context.ts'
import { batchGet } from '../db/table.ts'
import { Refusal } from '../errors/refusal.ts'
import { members } from './member.ts'
import { workspaces } from './workspace.ts'

/** Throws 403 if a person is not an active member of a workspace. */
export const assertMembership = async (ctx: Context, userId: string, workspaceId: string): Promise<void> => {
  const found = await batchGet(ctx, [members.key({ workspaceId, userId }), workspaces.key({ id: workspaceId })])
  const member = members.from(found, { workspaceId, userId })
  // The row of a deleted workspace is removed before its members.
  const isThere = workspaces.from(found, { id: workspaceId }) !== undefined
  if (isThere && member?.status === 'active') return
  throw member === undefined || !isThere
    ? new Refusal('forbidden', 'You are not a member of this workspace.', { code: 'not_a_member' })
    : new Refusal('forbidden', 'You are suspended in this workspace. Ask its owner.', { code: 'membership_suspended' })
}
