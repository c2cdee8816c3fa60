import * as z from 'zod/mini'
import type { Refusal } from '../errors/refusal.ts'
import { Code } from '../identity/two-factor.ts'
import { alert, field, hidden, links } from './field.ts'
import { html } from './html.ts'
import type { Page } from './layout.ts'
import { Return, withQuery } from './own-page.ts'

export const CodeForm = z.object({ ticket: z.string().check(z.maxLength(100)), code: Code, return: Return })

/** The second step of a sign-in, for an account with a second factor. */
export const codePage = (ticket: string, returnTo: string | undefined, refusal?: Refusal): Page => ({
  title: 'Enter your code',
  body: html`<p>Your account has a second factor. Enter a code to finish signing in.</p>
${alert(refusal, 'code')}
<form method="post" action="login">
${hidden('ticket', ticket)}${hidden('return', returnTo)}
${field(
  {
    name: 'code',
    label: 'Code',
    type: 'text',
    autocomplete: 'one-time-code',
    hint: 'The six digits in your authenticator app, or a recovery code.',
    maxLength: 40,
  },
  refusal,
)}
<button class="main">Sign in</button>
</form>
${links({ 'Start again': withQuery('login', { return: returnTo }) })}`,
})
