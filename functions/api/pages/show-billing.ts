import { BillingQuery } from '../../../shared/billing/page/find.ts'
import { showBillingPage } from '../../../shared/billing/page/show.ts'
import { page } from '../../../shared/pages/page-endpoint.ts'

export const handler = page(
  {
    method: 'GET',
    path: '/billing',
    summary: 'Show the billing page',
    visitor: 'known',
    query: BillingQuery,
    needs: ['table:read', 'token-keys', 'billing', 'ai-budget'],
  },
  ({ ctx, query, visitor }) => showBillingPage(ctx, visitor, { query }),
)
