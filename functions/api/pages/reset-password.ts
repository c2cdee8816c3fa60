import { actorByLink } from '../../../shared/audit/actor.ts'
import { resetPassword } from '../../../shared/identity/reset-password.ts'
import { personAssistants } from '../../../shared/oauth/person-assistants.ts'
import { page } from '../../../shared/pages/page-endpoint.ts'
import { ResetPasswordForm, resetPasswordAgain } from '../../../shared/pages/reset-password-page.ts'
import { Redirect } from '../../../shared/pages/send.ts'
import { wholeProcessorMb } from '../../../shared/resources.ts'

export const handler = page(
  {
    method: 'POST',
    path: '/reset-password',
    summary: 'Reset a password (form)',
    visitor: 'ignored',
    form: ResetPasswordForm,
    needs: ['table:read', 'table:write', 'queue:drain'],
    memoryMb: wholeProcessorMb,
  },
  async (visit) => {
    const { ctx, form, ip } = visit
    const reset = { ...form, revokeTokens: form.revokeTokens !== undefined }
    await resetPassword(ctx, reset, { ip, by: actorByLink({ ctx, request: visit }), assistants: personAssistants })
    return new Redirect('/login?notice=password-changed')
  },
  resetPasswordAgain,
)
