import type { Context } from '../context.ts'
import { ifCurrent } from '../db/condition-failed.ts'
import { present } from '../db/expression.ts'
import { update } from '../db/table.ts'
import type { QuotaLimits } from '../quotas/quotas.ts'
import type { Subscription } from './subscription.ts'
import { type Workspace, workspaces } from './workspace.ts'

/**
 * Puts a workspace on a plan with its quotas (none: those of the deployment), for operators without a billing provider.
 * Returns the workspace, or undefined if there is none with this id.
 */
export const setPlan = async (
  ctx: Context,
  workspaceId: string,
  subscription: Subscription,
  xMonthlyCap?: number,
  quotas?: QuotaLimits,
): Promise<Workspace | undefined> => {
  const change = { set: { subscription, xMonthlyCap, quotas: quotas ?? {} } }
  const row = await ifCurrent(update(ctx, workspaces.key({ id: workspaceId }), change, present('PK')))
  return row && workspaces.parse(row)
}
