import * as z from 'zod/mini'
import type { Refusal } from '../errors/refusal.ts'
import type { DeviceLogin } from '../identity/device-login.ts'
import { readUserCode, showUserCode } from '../identity/user-code.ts'
import { alert, field, hidden, links } from './field.ts'
import { type Html, html } from './html.ts'
import type { Page } from './layout.ts'
import type { Visit } from './page-endpoint.ts'
import { signedInAs } from './sign-out-form.ts'
import type { Visitor } from './visitor.ts'

const typedCode = z.string().check(z.maxLength(20))

export const DeviceQuery = z.object({ user_code: z.optional(typedCode) })
export const DeviceForm = z.object({ user_code: typedCode })
export const DeviceAnswerForm = z.object({ user_code: typedCode, answer: z.enum(['approved', 'denied']) })

/** The page where a person types the code of their device. A link can prefill the code, but never submits it. */
export const enterCodePage = (visitor: Visitor, typed: string | undefined, refusal?: Refusal): Page => ({
  title: 'Sign in a device',
  body: html`${alert(refusal, 'user_code')}
<form method="post" action="device">
${hidden('form_key', visitor.formKey)}
${field(
  {
    name: 'user_code',
    label: 'Code',
    type: 'text',
    autocomplete: 'off',
    hint: 'The eight letters that your device shows.',
    className: 'code',
    maxLength: 20,
    value: typed,
  },
  refusal,
)}
<button class="main">Continue</button>
</form>
${signedInAs(visitor)}`,
})

export const enterCodeAgain = (
  { sent, visitor }: Pick<Visit<'required'>, 'sent' | 'visitor'>,
  refusal: Refusal,
): Page => enterCodePage(visitor, sent['user_code'], refusal)

const details = ({ clientName, userAgent, ip, startedAt }: DeviceLogin, code: string): Html => html`<dl>
<div><dt>Code</dt><dd>${code}</dd></div>
<div><dt>Name given by the program</dt><dd>${clientName ?? 'None'}</dd></div>
<div><dt>Tool or browser</dt><dd>${userAgent === '' ? 'Unknown' : userAgent}</dd></div>
<div><dt>IP address</dt><dd>${ip}</dd></div>
<div><dt>Started</dt><dd>${new Date(startedAt).toUTCString()}</dd></div>
</dl>`

const confirmPage = ({ session, formKey }: Visitor, login: DeviceLogin, code: string): Page => ({
  title: 'Did you start this?',
  body: html`<p>A device asks to sign in as ${session.name}, ${session.email}. Approve it only if you started this sign-in
yourself just now: the device can then do everything that you can.</p>
${details(login, code)}
<form method="post" action="device-answer">
${hidden('form_key', formKey)}${hidden('user_code', code)}
<button class="main" name="answer" value="approved">Yes, sign it in</button>
<button name="answer" value="denied">No, deny it</button>
</form>`,
})

const onward = links({ 'Enter another code': 'device', 'Your workspaces': 'workspaces' })

const overPage = (title: string, sentence: string): Page => ({
  title,
  body: html`<p class="notice" role="status">${sentence}</p>${onward}`,
})

/** The login behind a code that the visitor has typed: the question, or the result. */
export const devicePage = (visitor: Visitor, login: DeviceLogin, typed: string, nowMs: number): Page => {
  const code = showUserCode(readUserCode(typed) ?? '')
  if (login.status === 'denied') return overPage('Refused', 'The device was not signed in. You can close this page.')
  if (login.status !== 'pending') {
    return overPage(
      'Your device is signed in',
      'Go back to your device: it continues automatically. You can close this page.',
    )
  }
  if (Date.parse(login.expiresAt) > nowMs) return confirmPage(visitor, login, code)
  return {
    title: 'Too late',
    body: html`<p class="alert">This code has expired. Start again on your device.</p>${onward}`,
  }
}
