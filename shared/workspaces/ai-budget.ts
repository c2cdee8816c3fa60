import type { Context } from '../context.ts'
import { planOf } from '../plans/plans.ts'
import type { Workspace } from './workspace.ts'

/**
 * What AI may cost a workspace in a month, in millionths of a US dollar: from its plan, otherwise from the setting
 * `aiBudgetMicroUsd` of the deployment. Undefined means unlimited. A child shares the budget of its payer.
 */
export const aiBudgetMicroUsd = (
  ctx: Context,
  { payer, ...own }: Pick<Workspace, 'subscription' | 'payer'>,
): number | undefined => {
  const deployed = ctx.env('AI_BUDGET_MICRO_USD')
  const plan = planOf((payer ?? own).subscription.planId)
  if (plan !== undefined) return plan.aiBudgetMicroUsd
  return deployed === '' ? undefined : Number(deployed)
}
