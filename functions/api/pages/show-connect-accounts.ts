import { page } from '../../../shared/pages/page-endpoint.ts'
import { ChoiceLink } from '../../../shared/social-accounts/choice.ts'
import { showConnectPage } from '../../../shared/social-accounts/show-connect-page.ts'

export const handler = page(
  {
    method: 'GET',
    path: '/connect-accounts',
    summary:
      'Show the confirmation, the platforms or the accounts to choose from, the connections of a customer, or the result of connecting an account',
    visitor: 'known',
    query: ChoiceLink,
    needs: ['table:read', 'table:write', 'kms:decrypt', 'token-keys', 'platform-secrets'],
  },
  ({ ctx, query, visitor, browser }) => showConnectPage(ctx, query, { visitor, browser }),
)
