import { workspaceAdminUnpaid } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { actorOf } from '../../../shared/audit/actor.ts'
import { billingAccounts } from '../../../shared/billing/account.ts'
import { startCheckout } from '../../../shared/billing/checkout.ts'
import { PlanRequest, StripePage } from '../../../shared/billing/requests.ts'
import { sessionOf } from '../../../shared/identity/session.ts'

export const handler = endpoint(
  {
    method: 'POST',
    path: '/api/billing/checkout',
    summary: 'Buy a plan',
    description:
      'Returns the URL of the Stripe page to buy the plan. Nothing is charged before the page is completed. The first subscription of a workspace begins with a trial. The page is open for an hour at least; a request for another plan closes it.',
    access: workspaceAdminUnpaid,
    body: PlanRequest,
    status: 201,
    data: StripePage,
    errors: [
      'plan_not_available',
      'already_subscribed',
      'concurrent_update',
      'billing_not_configured',
      'billing_unavailable',
    ],
    needs: ['table:read', 'table:write', 'billing', 'stripe'],
    prefetch: ({ workspaceId }) => [billingAccounts.key({ workspaceId })],
  },
  ({ ctx, request, principal, workspace, body: { planId }, prefetched }) => {
    const account = billingAccounts.from(prefetched, { workspaceId: workspace.id })
    const { email } = sessionOf(principal)
    const order = { workspace, account, planId, email, actor: actorOf({ ctx, request }) }
    return startCheckout(ctx, order)
  },
)
