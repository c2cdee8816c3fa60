import { setPlan } from '../../shared/workspaces/plan.ts'
import type { Subscription } from '../../shared/workspaces/subscription.ts'
import type { Kit } from './start.ts'

/** Puts the workspace of the seed on a plan, as the operator's command does. */
export const operatorPlan = async (kit: Kit, plan: Subscription): Promise<void> => {
  await setPlan(kit.ctx, kit.workspaceId, plan)
}
