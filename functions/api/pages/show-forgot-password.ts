import { ForgotPasswordQuery, forgotPasswordPage, resetSentPage } from '../../../shared/pages/forgot-password-page.ts'
import { page } from '../../../shared/pages/page-endpoint.ts'

export const handler = page(
  {
    method: 'GET',
    path: '/forgot-password',
    summary: 'The page to ask for a new password',
    visitor: 'ignored',
    query: ForgotPasswordQuery,
    needs: [],
  },
  ({ query }) => (query.sent === undefined ? forgotPasswordPage({}) : resetSentPage()),
)
