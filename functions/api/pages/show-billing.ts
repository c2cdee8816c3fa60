import { BillingQuery, billingPage } from '../../../shared/pages/billing-page.ts'
import { page } from '../../../shared/pages/page-endpoint.ts'

export const handler = page(
  {
    method: 'GET',
    path: '/billing',
    summary: 'Show the billing page',
    visitor: 'ignored',
    query: BillingQuery,
    needs: [],
  },
  ({ query }) => billingPage(query),
)
