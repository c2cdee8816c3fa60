import { verifyEmail } from '../../../shared/identity/verify-email.ts'
import { withQuery } from '../../../shared/pages/own-page.ts'
import { page } from '../../../shared/pages/page-endpoint.ts'
import { Redirect } from '../../../shared/pages/send.ts'
import { VerifyEmailInput, verifyEmailRefused } from '../../../shared/pages/verify-email-page.ts'

export const handler = page(
  {
    method: 'POST',
    path: '/verify-email',
    summary: 'Verify an email address (form)',
    visitor: 'ignored',
    form: VerifyEmailInput,
    needs: ['table:read', 'table:write'],
  },
  async ({ ctx, form }) => {
    await verifyEmail(ctx, form.token)
    return new Redirect(withQuery('/login', { notice: 'verified', return: form.return }))
  },
  verifyEmailRefused,
)
