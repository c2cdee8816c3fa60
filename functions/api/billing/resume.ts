import { workspaceAdminUnpaid } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { actorOf } from '../../../shared/audit/actor.ts'
import { billingAccounts } from '../../../shared/billing/account.ts'
import { resumeSubscription } from '../../../shared/billing/cancel.ts'
import { BillingView, viewBilling } from '../../../shared/billing/view.ts'

export const handler = endpoint(
  {
    method: 'POST',
    path: '/api/billing/resume',
    summary: 'Resume a canceled subscription',
    description:
      'Takes back a cancellation before it takes effect. A subscription that has ended cannot be resumed: start a new one with POST /api/billing/checkout. Repeating the call changes nothing.',
    access: workspaceAdminUnpaid,
    status: 200,
    data: BillingView,
    errors: ['not_subscribed', 'concurrent_update', 'billing_not_configured', 'billing_unavailable'],
    needs: ['table:read', 'table:write', 'billing', 'stripe', 'ai-budget'],
    prefetch: ({ workspaceId }) => [billingAccounts.key({ workspaceId })],
  },
  async ({ ctx, request, workspace, prefetched }) => {
    const payer = { workspace, account: billingAccounts.from(prefetched, { workspaceId: workspace.id }) }
    const billed = await resumeSubscription(ctx, payer, actorOf({ ctx, request }))
    return viewBilling(ctx, billed.workspace, billed.account)
  },
)
