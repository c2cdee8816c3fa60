import * as z from 'zod/mini'
import type { Refusal } from '../errors/refusal.ts'
import { Email } from '../identity/email.ts'
import { resetHours } from '../identity/password-reset.ts'
import { alert, field, links } from './field.ts'
import type { Sent } from './form.ts'
import { html } from './html.ts'
import type { Page } from './layout.ts'

export const ForgotPasswordQuery = z.object({ sent: z.optional(z.string()) })

export const ForgotPasswordForm = z.object({ email: Email })

/** Where somebody asks for a new password. */
export const forgotPasswordPage = (sent: Sent, refusal?: Refusal): Page => ({
  title: 'Forgotten your password?',
  body: html`<p>Tell us your address: we send you a link to choose a new one.</p>
${alert(refusal, 'email')}
<form method="post" action="forgot-password">
${field({ name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'username', value: sent['email'] }, refusal)}
<button class="main">Send me a link</button>
</form>
${links({ 'Go to the sign-in page': 'login' })}`,
})

export const forgotPasswordAgain = ({ sent }: { sent: Sent }, refusal: Refusal): Page =>
  forgotPasswordPage(sent, refusal)

/** What follows, whether the address has an account or not. */
export const resetSentPage = (): Page => ({
  title: 'Look into your mail',
  body: html`<p>We have sent you a mail. The link in it works once, for ${resetHours === 1 ? 'one hour' : `${resetHours} hours`}.</p>
${links({ 'Go to the sign-in page': 'login' })}`,
})
