import * as z from 'zod/mini'
import type { Refusal } from '../errors/refusal.ts'
import { alert, hidden, links } from './field.ts'
import type { Sent } from './form.ts'
import { html } from './html.ts'
import type { Page } from './layout.ts'
import { ownPage, Return, withQuery } from './own-page.ts'

/** The parameters of the link in the email, which the button submits. */
export const VerifyEmailInput = z.object({ token: z.string().check(z.maxLength(100)), return: Return })
type VerifyEmailInput = z.infer<typeof VerifyEmailInput>

/** The page behind the link of a sign-up. Only the button verifies, because programs open links too. */
export const verifyEmailPage = ({ token, return: returnTo }: VerifyEmailInput): Page => ({
  title: 'Verify your email address',
  body: html`<p>Click the button to finish signing up. If you didn’t sign up, close this page.</p>
<form method="post" action="verify-email">
${hidden('token', token)}${hidden('return', returnTo)}
<button class="main">Verify my address</button>
</form>`,
})

export const verifyEmailRefused = ({ sent }: { sent: Sent }, refusal: Refusal): Page => {
  const values = { return: ownPage(sent['return'] ?? '') }
  return {
    title: 'This link does not work',
    body: html`${alert(refusal)}${links({ 'Sign in': withQuery('login', values), 'Sign up': withQuery('sign-up', values) })}`,
  }
}
