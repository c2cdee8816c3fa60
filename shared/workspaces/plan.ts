import type { Context } from '../context.ts'
import { present } from '../db/expression.ts'
import { ConditionFailed, update } from '../db/table.ts'
import { Refusal } from '../errors.ts'
import type { QuotaLimits } from '../quotas/quotas.ts'
import type { Subscription } from './subscription.ts'
import { type Workspace, workspaces } from './workspace.ts'

/** Puts a workspace on a plan with its quotas (none: those of the deployment), as an operator does where no billing provider is connected. */
export const setPlan = async (
  ctx: Context,
  workspaceId: string,
  subscription: Subscription,
  xMonthlyCap?: number,
  quotas?: QuotaLimits,
): Promise<Workspace> => {
  const change = { set: { subscription, xMonthlyCap, quotas: quotas ?? {} } }
  const row = await update(ctx, workspaces.key({ id: workspaceId }), change, present('PK')).catch((error: unknown) => {
    if (!(error instanceof ConditionFailed)) throw error
    throw new Refusal('missing', `There is no workspace "${workspaceId}".`)
  })
  return workspaces.parse(row)
}
