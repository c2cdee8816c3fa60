import { workspaceAdminUnpaid } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { billingAccounts } from '../../../shared/billing/account.ts'
import { openPortal } from '../../../shared/billing/portal.ts'
import { StripePage } from '../../../shared/billing/requests.ts'

export const handler = endpoint(
  {
    method: 'POST',
    path: '/api/billing/portal',
    summary: 'Open the customer portal of Stripe',
    description: 'Returns the URL of a page to change payment methods and addresses, and to download invoices.',
    access: workspaceAdminUnpaid,
    status: 200,
    data: StripePage,
    errors: ['not_subscribed', 'concurrent_update', 'billing_not_configured', 'billing_unavailable'],
    needs: ['table:read', 'billing', 'stripe'],
    prefetch: ({ workspaceId }) => [billingAccounts.key({ workspaceId })],
  },
  ({ ctx, workspace, prefetched }) =>
    openPortal(ctx, workspace, billingAccounts.from(prefetched, { workspaceId: workspace.id })),
)
