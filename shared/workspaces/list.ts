import type * as z from 'zod/mini'
import type { Context } from '../context.ts'
import { allOf, begins, equal } from '../db/expression.ts'
import { batchGet, queryAll } from '../db/table.ts'
import { Refusal } from '../errors/refusal.ts'
import { assertQuota } from '../quotas/count.ts'
import { members, membershipKey, viewWorkspace, type WorkspaceView, workspaces } from './workspace.ts'

/** The workspaces with these ids in which the person is an active member, in the order of the ids. */
const viewOf = async (ctx: Context, userId: string, ids: readonly string[]) => {
  const rows = await batchGet(
    ctx,
    ids.flatMap((id) => [workspaces.key({ id }), members.key({ workspaceId: id, userId })]),
  )
  return ids.flatMap((id): z.infer<typeof WorkspaceView>[] => {
    const workspace = workspaces.from(rows, { id })
    const member = members.from(rows, { workspaceId: id, userId })
    return workspace && member?.status === 'active' ? [viewWorkspace(ctx, workspace, member.role)] : []
  })
}

/** The ids of the workspaces of a person, oldest first. */
export const workspaceIdsOf = async (ctx: Context, userId: string): Promise<string[]> => {
  const { PK, SK } = membershipKey(userId, '')
  const rows = await queryAll(ctx, { key: allOf(equal('PK', PK), begins('SK', SK)) })
  return rows.map((row) => String(row['SK']).slice(SK.length))
}

/**
 * All workspaces of a person, including unpaid ones, oldest first.
 * Decided: a workspace that suspended the person is left out until the suspension ends.
 */
export const listWorkspaces = async (ctx: Context, userId: string) =>
  viewOf(ctx, userId, await workspaceIdsOf(ctx, userId))

/** The workspace of a personal access token; throws 403 if its person is no longer an active member. */
export const listBoundWorkspace = async (ctx: Context, userId: string, workspaceId: string) => {
  const views = await viewOf(ctx, userId, [workspaceId])
  if (views.length > 0) return views
  throw new Refusal('forbidden', 'You are not an active member of the workspace of this token.', {
    code: 'not_a_member',
  })
}

/** How many workspaces a person owns. */
export const countOwned = async (ctx: Context, userId: string): Promise<number> =>
  (await listWorkspaces(ctx, userId)).filter(({ role }) => role === 'owner').length

/** Throws 409 if a person owns the maximum number of workspaces. */
export const assertOwnedQuota = async (ctx: Context, userId: string): Promise<void> =>
  assertQuota(ctx, undefined, 'ownedWorkspaces', { used: await countOwned(ctx, userId) })
