import { page } from '../../../shared/pages/page-endpoint.ts'
import { SignUpQuery, signUpPage, signUpSentPage } from '../../../shared/pages/sign-up-page.ts'

export const handler = page(
  {
    method: 'GET',
    path: '/sign-up',
    summary: 'Show the sign-up form',
    visitor: 'ignored',
    query: SignUpQuery,
    needs: [],
  },
  ({ query }) => (query.sent === undefined ? signUpPage({}, query.return) : signUpSentPage()),
)
