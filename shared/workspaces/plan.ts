import { type Actor, operatorActor } from '../audit/actor.ts'
import { recordAudit } from '../audit/record.ts'
import type { Context } from '../context.ts'
import { allOf, equal, present } from '../db/expression.ts'
import { transact } from '../db/table.ts'
import type { QuotaLimits } from '../quotas/quotas.ts'
import { retryOnConflict } from './retry-on-conflict.ts'
import type { Subscription } from './subscription.ts'
import { type Workspace, workspaces } from './workspace.ts'

type Plan = Pick<Workspace, 'subscription' | 'xMonthlyCap' | 'quotas'>

/** A plan as the audit trail shows it. */
const auditedPlan = ({ subscription, xMonthlyCap, quotas = {} }: Plan) => ({
  planName: subscription.planName,
  status: subscription.status,
  hasAccess: subscription.hasAccess,
  xMonthlyCap: xMonthlyCap ?? null,
  quotas: Object.entries(quotas).map(([name, limit]) => `${name}=${limit}`),
})

/**
 * Puts a workspace on a plan with its quotas (none: those of the deployment), for operators without a billing provider.
 * Returns the workspace, or undefined if there is none with this id.
 */
export const setPlan = (
  ctx: Context,
  workspaceId: string,
  subscription: Subscription,
  xMonthlyCap?: number,
  quotas: QuotaLimits = {},
  by: Actor = operatorActor('set-plan'),
): Promise<Workspace | undefined> =>
  retryOnConflict(async () => {
    const workspace = await workspaces.get(ctx, { id: workspaceId })
    if (workspace === undefined) return undefined
    const changed: Workspace = { ...workspace, subscription, xMonthlyCap: xMonthlyCap ?? workspace.xMonthlyCap, quotas }
    const entry = recordAudit(ctx, by, {
      workspaceId,
      action: 'billing.plan_changed',
      target: { type: 'workspace', id: workspaceId },
      before: auditedPlan(workspace),
      after: auditedPlan(changed),
    })
    const when = allOf(present('PK'), equal('subscription', workspace.subscription))
    const change = { set: { subscription, xMonthlyCap, quotas } }
    await transact(ctx, () => [{ update: workspaces.key(workspace), change, when }, entry])
    return changed
  })
