import { addressOfReset } from '../../../shared/identity/reset-password.ts'
import { page } from '../../../shared/pages/page-endpoint.ts'
import { ResetPasswordQuery, resetPasswordAgain, resetPasswordPage } from '../../../shared/pages/reset-password-page.ts'

export const handler = page(
  {
    method: 'GET',
    path: '/reset-password',
    summary: 'Show the reset form',
    visitor: 'ignored',
    query: ResetPasswordQuery,
    needs: ['table:read'],
  },
  async ({ ctx, query: { token } }) => resetPasswordPage(token, await addressOfReset(ctx, token)),
  resetPasswordAgain,
)
