import * as z from 'zod/mini'
import type { Refusal } from '../errors/refusal.ts'
import { Email } from '../identity/email.ts'
import { Code } from '../identity/two-factor.ts'
import { alert, field, hidden, links } from './field.ts'
import type { Sent } from './form.ts'
import { type Html, html, nothing } from './html.ts'
import type { Page } from './layout.ts'
import { ownPage, Return, withQuery } from './own-page.ts'

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

const notices = {
  verified: 'Your address is verified. Sign in to continue.',
  'password-changed': 'Your new password is set. Sign in with it.',
  'signed-out': 'You are signed out.',
} as const

type Notice = keyof typeof notices

export const SignInQuery = z.object({ return: Return, notice: z.optional(z.string()) })

export const SignInForm = z.object({ email: Email, password: z.string().check(z.maxLength(128)), return: Return })

/** What a person signs in for, by the path of the next page. */
const purposes: Readonly<Record<string, string>> = {
  '/device': 'Sign in to approve your device.',
  '/authorize': 'Sign in to connect your assistant.',
  '/invite': 'Sign in to accept your invitation.',
}

const purposeOf = (returnTo = ''): Html => {
  const [path = ''] = returnTo.split('?')
  const purpose = Object.hasOwn(purposes, path) ? purposes[path] : undefined
  return purpose === undefined ? nothing : html`<p>${purpose}</p>`
}

const isNotice = (text: string): text is Notice => Object.hasOwn(notices, text)

interface Shown {
  sent: Sent
  returnTo: string | undefined
  notice?: string | undefined
  refusal?: Refusal
}

/** The page where a person signs in with their address and password. */
export const signInPage = ({ sent, returnTo, notice = '', refusal }: Shown): Page => ({
  title: 'Sign in',
  body: html`${isNotice(notice) ? html`<p class="notice" role="status">${notices[notice]}</p>` : nothing}
${alert(refusal, 'email', 'password')}${purposeOf(returnTo)}
<form method="post" action="login">
${hidden('return', returnTo)}
${field({ name: 'email', label: 'Email address', type: 'email', autocomplete: 'username', value: sent['email'] }, refusal)}
${field({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password', maxLength: 128 }, refusal)}
<button class="main">Sign in</button>
</form>
${links({
  'Forgot your password?': 'forgot-password',
  'Create an account': withQuery('sign-up', { return: returnTo }),
})}`,
})

/** Shows the same step again after a failed sign-in; an expired code returns to the password. */
export const signInAgain = ({ sent }: { sent: Sent }, refusal: Refusal): Page => {
  const returnTo = ownPage(sent['return'] ?? '')
  const isCodeStep = sent['ticket'] !== undefined && refusal.details.code !== 'sign_in_expired'
  return isCodeStep ? codePage(sent['ticket'] ?? '', returnTo, refusal) : signInPage({ sent, returnTo, refusal })
}
