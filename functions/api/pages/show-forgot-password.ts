import { ForgotPasswordQuery, forgotPasswordPage, resetSentPage } from '../../../shared/pages/forgot-password-page.ts'
import { page } from '../../../shared/pages/page-endpoint.ts'

export const handler = page(
  {
    method: 'GET',
    path: '/forgot-password',
    summary: 'Show the password reset form',
    visitor: 'ignored',
    query: ForgotPasswordQuery,
    needs: [],
  },
  ({ query }) => (query.sent === undefined ? forgotPasswordPage({}) : resetSentPage()),
)
