import { usageKeys, viewUsage } from '../ai/budget/view.ts'
import type { Context } from '../context.ts'
import { batchGet } from '../db/table.ts'
import type { Plan } from '../plans/plans.ts'
import { readPending } from '../workspaces/list-invitations.ts'
import { readTeam } from '../workspaces/list-members.ts'
import type { PlanLimit } from '../workspaces/subscription.ts'
import type { Workspace } from '../workspaces/workspace.ts'

/** How much a workspace uses of everything that plans limit by number. */
export const usedOf = async (ctx: Context, workspace: Workspace): Promise<Record<PlanLimit, number>> => {
  const [team, pending] = await Promise.all([readTeam(ctx, workspace.id), readPending(ctx, workspace.id)])
  return { seats: team.length + pending.length, webhookEndpoints: workspace.endpoints.length }
}

/** What AI has cost a workspace in the current month. */
export const readAiUsage = async (ctx: Context, workspace: Workspace): Promise<number> =>
  viewUsage(ctx, workspace, await batchGet(ctx, usageKeys({ ctx, workspaceId: workspace.id }))).usedMicroUsd

/** What blocks a plan: more is in use than it allows. */
export const blockersOf = (plan: Plan, used: Readonly<Record<PlanLimit, number>>) =>
  (['seats', 'webhookEndpoints'] as const).flatMap((quota) =>
    used[quota] > plan[quota] ? [{ quota, limit: plan[quota], used: used[quota] }] : [],
  )
