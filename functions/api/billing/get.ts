import { workspaceAdminUnpaid } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { billingAccounts } from '../../../shared/billing/account.ts'
import { BillingView, viewBilling } from '../../../shared/billing/view.ts'

export const handler = endpoint(
  {
    method: 'GET',
    path: '/api/billing',
    summary: 'Get the plan of the workspace',
    description:
      'Returns the plan, what the workspace uses of it, and the plans that are sold. In a deployment without a billing provider, `provider` is `none` and `plans` is empty.',
    access: workspaceAdminUnpaid,
    status: 200,
    data: BillingView,
    errors: [],
    needs: ['table:read', 'billing', 'ai-budget'],
    prefetch: ({ workspaceId }) => [billingAccounts.key({ workspaceId })],
  },
  ({ ctx, workspace, prefetched }) =>
    viewBilling(ctx, workspace, billingAccounts.from(prefetched, { workspaceId: workspace.id })),
)
