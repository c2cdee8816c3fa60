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

/** Where somebody chooses a new password by the link of a mail. */
export const resetPasswordPage = (sentToken: string, email: string, refusal?: Refusal): Page => ({
  title: 'Choose a new password',
  body: html`<p>You will be signed out everywhere, and sign in with the new one.</p>
${alert(refusal, 'newPassword')}
<form method="post" action="reset-password">
${hidden('token', sentToken)}
${field({ name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'username', value: email, fixed: true })}
${field(
  {
    name: 'newPassword',
    label: 'New password',
    type: 'password',
    autocomplete: 'new-password',
    hint: 'At least 8 characters, and nothing that is easy to guess.',
    maxLength: 128,
  },
  refusal,
)}
<label class="choice"><input type="checkbox" name="revokeTokens" value="yes"> Revoke my personal access tokens too</label>
<button class="main">Set the password</button>
</form>`,
})

/** The form once more while its link still works; after that only the way to a new one. */
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
    body: html`${alert(refusal)}${links({ 'Ask for a new link': 'forgot-password' })}`,
  }
}
