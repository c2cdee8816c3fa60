import { type Actor, operatorActor } from '../audit/actor.ts'
import { commit } from '../commit/commit.ts'
import type { Context } from '../context.ts'
import { allOf, equal, present } from '../db/expression.ts'
import { retryOnConflict } from '../db/retry-on-conflict.ts'
import type { QuotaLimits } from '../quotas/quotas.ts'
import { workspaceRetries } from './retries.ts'
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

/** The application counts what its children have of its cap on X. */
const paidElsewhere = (payerId: string) =>
  new TypeError(`This is a child workspace. Its plan is that of ${payerId}: change that one.`)

/**
 * Puts a workspace on a plan with its quotas (none: those of the deployment), for operators without a billing provider.
 * Returns the workspace, or undefined if there is none with this id. Throws a TypeError for a child workspace of an application.
 */
export const setPlan = (
  ctx: Context,
  workspaceId: string,
  subscription: Subscription,
  {
    xMonthlyCap,
    quotas = {},
    by = operatorActor('set-plan'),
  }: { xMonthlyCap?: number | undefined; quotas?: QuotaLimits | undefined; by?: Actor | undefined } = {},
): Promise<Workspace | undefined> =>
  retryOnConflict(workspaceRetries, async () => {
    const workspace = await workspaces.get(ctx, { id: workspaceId })
    if (workspace === undefined) return undefined
    if (workspace.application !== undefined) throw paidElsewhere(workspace.application.workspaceId)
    const changed: Workspace = { ...workspace, subscription, xMonthlyCap: xMonthlyCap ?? workspace.xMonthlyCap, quotas }
    const when = allOf(present('PK'), equal('subscription', workspace.subscription))
    const change = { set: { subscription, xMonthlyCap, quotas } }
    await commit(ctx, workspace, {
      writes: [{ update: workspaces.key(workspace), change, when }],
      audit: {
        by,
        action: 'billing.plan_changed',
        target: { type: 'workspace', id: workspaceId },
        before: auditedPlan(workspace),
        after: auditedPlan(changed),
      },
    })
    return changed
  })
