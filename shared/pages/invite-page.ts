import * as z from 'zod/mini'
import type { InvitationPreview } from '../workspaces/preview-invitation.ts'
import { hidden, links } from './field.ts'
import { type Html, html } from './html.ts'
import type { Page } from './layout.ts'
import { ownPage, withQuery } from './own-page.ts'
import { signedInAs } from './sign-out-form.ts'
import type { Visitor } from './visitor.ts'

export const InviteInput = z.object({ token: z.string().check(z.maxLength(100)) })

const details = ({ workspaceName, inviterName, role, email, expiresAt }: InvitationPreview): Html => html`<dl>
<div><dt>Workspace</dt><dd>${workspaceName}</dd></div>
<div><dt>Invited by</dt><dd>${inviterName}</dd></div>
<div><dt>Your role</dt><dd>${role}</dd></div>
<div><dt>Sent to</dt><dd>${email}</dd></div>
<div><dt>Valid until</dt><dd>${new Date(expiresAt).toUTCString()}</dd></div>
</dl>`

const forNobody = (token: string): Html => {
  const values = { return: ownPage(`/invite?token=${token}`) }
  return html`<p>Sign in with the address the invitation was sent to, or create an account with it. You will return to this page.</p>
${links({ 'Sign in': withQuery('login', values), 'Create an account': withQuery('sign-up', values) })}`
}

const forAnother = (visitor: Visitor, token: string): Html =>
  html`<p class="alert">This invitation was sent to another address. Sign out, then sign in with that address.</p>
${links({ 'Your workspaces': 'workspaces' })}
${signedInAs(visitor, `/invite?token=${token}`)}`

const forInvited = ({ formKey, session }: Visitor, token: string): Html => html`<form method="post" action="invite">
${hidden('form_key', formKey)}${hidden('token', token)}
<button class="main">Join as ${session.name}</button>
</form>`

/** The page of an invitation: its details, and the one next step. */
export const invitePage = (preview: InvitationPreview, token: string, visitor: Visitor | undefined): Page => {
  const { workspaceName, accepted, email } = preview
  if (accepted) {
    return {
      title: `Welcome to ${workspaceName}`,
      body: html`<p class="notice" role="status">This invitation is accepted. You can close this page.</p>${links({ 'Go to the sign-in page': 'login' })}`,
    }
  }
  const mine = visitor?.session.email === email
  const next = visitor === undefined ? forNobody(token) : (mine ? forInvited : forAnother)(visitor, token)
  return { title: 'You are invited', body: html`${details(preview)}${next}` }
}
