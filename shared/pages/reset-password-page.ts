import * as z from 'zod/mini'
import type { Refusal } from '../errors/refusal.ts'
import { NewPassword } from '../identity/password.ts'
import { addressOfReset } from '../identity/reset-password.ts'
import { alert, field, hidden, links } from './field.ts'
import { html } from './html.ts'
import type { Page } from './layout.ts'
import type { Visit } from './page-endpoint.ts'

const token = z.string().check(z.maxLength(100))

export const ResetPasswordQuery = z.object({ token })

export const ResetPasswordForm = z.object({ token, newPassword: NewPassword, revokeTokens: z.optional(z.string()) })

/** The page where a person chooses a new password, opened by the link in the email. */
export const resetPasswordPage = (sentToken: string, email: string, refusal?: Refusal): Page => ({
  title: 'Choose a new password',
  body: html`<p>You will be signed out everywhere. Then sign in with the new password.</p>
${alert(refusal, 'newPassword')}
<form method="post" action="reset-password">
${hidden('token', sentToken)}
${field({ name: 'email', label: 'Email address', type: 'email', autocomplete: 'username', value: email, fixed: true })}
${field(
  {
    name: 'newPassword',
    label: 'New password',
    type: 'password',
    autocomplete: 'new-password',
    hint: 'At least 8 characters, and not easy to guess.',
    maxLength: 128,
  },
  refusal,
)}
<label class="choice"><input type="checkbox" name="revokeTokens" value="yes"> Revoke my personal access tokens and disconnect my assistants too</label>
<button class="main">Set the password</button>
</form>`,
})

/** Shows the form again while its link works; after that, only a link to request a new one. */
export const resetPasswordAgain = async (
  { ctx, sent }: Pick<Visit, 'ctx' | 'sent'>,
  refusal: Refusal,
): Promise<Page> => {
  const { token: sentToken = '' } = sent
  if (refusal.details.field === 'newPassword') {
    return resetPasswordPage(sentToken, await addressOfReset(ctx, sentToken), refusal)
  }
  return {
    title: 'This link does not work',
    body: html`${alert(refusal)}${links({ 'Request a new link': 'forgot-password' })}`,
  }
}
