import type { Context } from '../context.ts'
import { batchGet } from '../db/table.ts'
import { Refusal } from '../errors/refusal.ts'
import { members } from './member.ts'
import { type Workspace, workspaces } from './workspace.ts'

const read = async (ctx: Context, userId: string, workspaceId: string) => {
  const found = await batchGet(ctx, [members.key({ workspaceId, userId }), workspaces.key({ id: workspaceId })])
  return {
    status: members.from(found, { workspaceId, userId })?.status,
    // The row of a deleted workspace is removed before its members.
    workspace: workspaces.from(found, { id: workspaceId }),
  }
}

/** The workspace, if a person is an active member of it. */
export const findWorkspaceOf = async (
  ctx: Context,
  userId: string,
  workspaceId: string,
): Promise<Workspace | undefined> => {
  const { status, workspace } = await read(ctx, userId, workspaceId)
  return status === 'active' ? workspace : undefined
}

/** The same; throws 403 if there is none. */
export const assertMembership = async (ctx: Context, userId: string, workspaceId: string): Promise<Workspace> => {
  const { status, workspace } = await read(ctx, userId, workspaceId)
  if (status === undefined || workspace === undefined) {
    throw new Refusal('forbidden', 'You are not a member of this workspace.', { code: 'not_a_member' })
  }
  if (status === 'active') return workspace
  throw new Refusal('forbidden', 'You are suspended in this workspace. Ask its owner.', {
    code: 'membership_suspended',
  })
}
