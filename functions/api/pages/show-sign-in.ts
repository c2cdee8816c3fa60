import { page } from '../../../shared/pages/page-endpoint.ts'
import { Redirect } from '../../../shared/pages/send.ts'
import { SignInQuery, signInPage } from '../../../shared/pages/sign-in-page.ts'

export const handler = page(
  {
    method: 'GET',
    path: '/login',
    summary: 'Show the sign-in form',
    visitor: 'known',
    query: SignInQuery,
    needs: ['table:read', 'token-keys'],
  },
  ({ query, visitor }) =>
    visitor === undefined
      ? signInPage({ sent: {}, returnTo: query.return, notice: query.notice })
      : new Redirect(query.return ?? '/console'),
)
