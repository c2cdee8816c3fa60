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

/** The page where a person requests a password reset. */
export const forgotPasswordPage = (sent: Sent, refusal?: Refusal): Page => ({
  title: 'Forgot your password?',
  body: html`<p>Enter your email address. We will send you a link to choose a new password.</p>
${alert(refusal, 'email')}
<form method="post" action="forgot-password">
${field({ name: 'email', label: 'Email address', type: 'email', autocomplete: 'username', value: sent['email'] }, refusal)}
<button class="main">Send me a link</button>
</form>
${links({ 'Go to the sign-in page': 'login' })}`,
})

export const forgotPasswordAgain = ({ sent }: { sent: Sent }, refusal: Refusal): Page =>
  forgotPasswordPage(sent, refusal)

/** The page after the request, whether or not the address has an account. */
export const resetSentPage = (): Page => ({
  title: 'Check your email',
  body: html`<p>We sent you an email. The link in it works once, for ${resetHours === 1 ? 'one hour' : `${resetHours} hours`}.</p>
${links({ 'Go to the sign-in page': 'login' })}`,
})
