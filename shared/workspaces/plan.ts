import type { Context } from '../context.ts'
import { present } from '../db/expression.ts'
import { ConditionFailed, update } from '../db/table.ts'

import type { QuotaLimits } from '../quotas/quotas.ts'
import type { Subscription } from './subscription.ts'
import { type Workspace, workspaces } from './workspace.ts'

/**
 * Puts a workspace on a plan with its quotas (none: those of the deployment), as an operator does where no billing
 * provider is connected. Returns the workspace, or undefined if there is none with this id.
 */
export const setPlan = async (
  ctx: Context,
  workspaceId: string,
  subscription: Subscription,
  xMonthlyCap?: number,
  quotas?: QuotaLimits,
): Promise<Workspace | undefined> => {
  const change = { set: { subscription, xMonthlyCap, quotas: quotas ?? {} } }
  try {
    return workspaces.parse(await update(ctx, workspaces.key({ id: workspaceId }), change, present('PK')))
  } catch (error) {
    if (error instanceof ConditionFailed) return undefined
    throw error
  }
}
