import { page } from '../../../shared/pages/page-endpoint.ts'
import { VerifyEmailInput, verifyEmailPage, verifyEmailRefused } from '../../../shared/pages/verify-email-page.ts'

export const handler = page(
  {
    method: 'GET',
    path: '/verify-email',
    summary: 'Show the verification page',
    visitor: 'ignored',
    query: VerifyEmailInput,
    needs: [],
  },
  ({ query }) => verifyEmailPage(query),
  verifyEmailRefused,
)
