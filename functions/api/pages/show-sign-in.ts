import { page } from '../../../shared/pages/page-endpoint.ts'
import { Redirect } from '../../../shared/pages/send.ts'
import { SignInQuery, signedInPage, signInPage } from '../../../shared/pages/sign-in-page.ts'

export const handler = page(
  {
    method: 'GET',
    path: '/login',
    summary: 'Show the sign-in form',
    visitor: 'known',
    query: SignInQuery,
    needs: ['table:read', 'token-keys'],
  },
  ({ query, visitor }) => {
    if (visitor === undefined) return signInPage({ sent: {}, returnTo: query.return, notice: query.notice })
    return query.return === undefined ? signedInPage(visitor) : new Redirect(query.return)
  },
)
