import { AuthorizationQuery } from '../../../shared/oauth/authorization-request.ts'
import { askForConsent } from '../../../shared/oauth/consent.ts'
import { page } from '../../../shared/pages/page-endpoint.ts'

export const handler = page(
  {
    method: 'GET',
    path: '/authorize',
    summary: 'Ask whether an assistant may act for a person',
    visitor: 'required',
    query: AuthorizationQuery,
    needs: ['table:read', 'token-keys', 'origins'],
  },
  ({ ctx, visitor, query }) => askForConsent(ctx, visitor, query),
)
