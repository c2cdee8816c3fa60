import { workspaceAdminUnpaid } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { actorOf } from '../../../shared/audit/actor.ts'
import { billingAccounts } from '../../../shared/billing/account.ts'
import { changePlan } from '../../../shared/billing/change-plan.ts'
import { PlanRequest } from '../../../shared/billing/requests.ts'
import { BillingView, viewBilling } from '../../../shared/billing/view.ts'

export const handler = endpoint(
  {
    method: 'POST',
    path: '/api/billing/change',
    summary: 'Change the plan of a subscription',
    description:
      'A larger plan begins immediately, and the difference is charged; if the payment fails, nothing changes. A smaller plan begins with the next period, and is refused while more is in use than it allows. During a trial both begin immediately. Choosing the current plan cancels a scheduled downgrade.',
    access: workspaceAdminUnpaid,
    body: PlanRequest,
    status: 200,
    data: BillingView,
    errors: [
      'plan_not_available',
      'plan_too_small',
      'not_subscribed',
      'payment_overdue',
      'payment_failed',
      'subscription_cancelled',
      'concurrent_update',
      'billing_not_configured',
      'billing_unavailable',
    ],
    needs: ['table:read', 'table:write', 'billing', 'stripe', 'ai-budget'],
    prefetch: ({ workspaceId }) => [billingAccounts.key({ workspaceId })],
  },
  async ({ ctx, request, workspace, prefetched, body: { planId } }) => {
    const payer = { workspace, account: billingAccounts.from(prefetched, { workspaceId: workspace.id }) }
    const billed = await changePlan(ctx, payer, planId, actorOf({ ctx, request }))
    return viewBilling(ctx, billed.workspace, billed.account)
  },
)
