import * as z from 'zod/mini'
import type { Refusal } from '../errors/refusal.ts'
import { Email } from '../identity/email.ts'
import { Name } from '../identity/name.ts'
import { NewPassword } from '../identity/password.ts'
import { verificationHours } from '../identity/verification.ts'
import { alert, field, hidden, links } from './field.ts'
import type { Sent } from './form.ts'
import { html } from './html.ts'
import type { Page } from './layout.ts'
import { ownPage, Return, withQuery } from './own-page.ts'

export const SignUpQuery = z.object({ return: Return, sent: z.optional(z.string()) })

export const SignUpForm = z.object({ email: Email, password: NewPassword, name: Name, return: Return })

/** The page where a person creates an account. */
export const signUpPage = (sent: Sent, returnTo: string | undefined, refusal?: Refusal): Page => ({
  title: 'Create an account',
  body: html`${alert(refusal, 'email', 'password', 'name')}
<form method="post" action="sign-up">
${hidden('return', returnTo)}
${field({ name: 'name', label: 'Your name', type: 'text', autocomplete: 'name', maxLength: 80, value: sent['name'] }, refusal)}
${field({ name: 'email', label: 'Email address', type: 'email', autocomplete: 'username', value: sent['email'] }, refusal)}
${field(
  {
    name: 'password',
    label: 'Password',
    type: 'password',
    autocomplete: 'new-password',
    hint: 'At least 8 characters, and not easy to guess.',
    maxLength: 128,
  },
  refusal,
)}
<button class="main">Create the account</button>
</form>
${links({ 'Sign in instead': withQuery('login', { return: returnTo }) })}`,
})

export const signUpAgain = ({ sent }: { sent: Sent }, refusal: Refusal): Page =>
  signUpPage(sent, ownPage(sent['return'] ?? ''), refusal)

/** The page after a sign-up, whether the address was new or not. */
export const signUpSentPage = (): Page => ({
  title: 'Check your email',
  body: html`<p>We sent you an email. Open the link in it to finish signing up. The link works once, for ${verificationHours} hours.</p>
<p class="soft">No email? Check your spam folder, or sign up again.</p>
${links({ 'Sign up again': 'sign-up', 'Go to the sign-in page': 'login' })}`,
})
