import { requestPasswordReset } from '../../../shared/identity/request-password-reset.ts'
import { ForgotPasswordForm, forgotPasswordAgain } from '../../../shared/pages/forgot-password-page.ts'
import { page } from '../../../shared/pages/page-endpoint.ts'
import { Redirect } from '../../../shared/pages/send.ts'
import { wholeProcessorMb } from '../../../shared/resources.ts'

export const handler = page(
  {
    method: 'POST',
    path: '/forgot-password',
    summary: 'Request a password reset (form)',
    visitor: 'ignored',
    form: ForgotPasswordForm,
    needs: ['table:read', 'table:write', 'mail'],
    memoryMb: wholeProcessorMb,
  },
  async ({ ctx, form }) => {
    await requestPasswordReset(ctx, form)
    return new Redirect('/forgot-password?sent=1')
  },
  forgotPasswordAgain,
)
