import type * as z from 'zod/mini'
import type { Refusal } from '../errors/refusal.ts'
import { alert, hidden, links } from '../pages/field.ts'
import type { Sent } from '../pages/form.ts'
import { type Html, html, nothing } from '../pages/html.ts'
import type { Page } from '../pages/layout.ts'
import type { Visitor } from '../pages/visitor.ts'
import { maxPostsPerDay } from '../workspaces/assistant-connection.ts'
import type { WorkspaceView } from '../workspaces/workspace.ts'
import {
  type AuthorizationQuery,
  type AuthorizationRequest,
  parameterNames,
  type ReturnedRequest,
} from './authorization-request.ts'
import { destinationOf, hostOfClient, isLoopback } from './client.ts'
import { boxOf } from './consent-form.ts'
import { checkedAtFirst, presets, presetsFor, scopeLabels } from './scopes.ts'

export interface ConsentRequest {
  request: AuthorizationRequest
  /** The parameters of the request, as they were sent. */
  parameters: AuthorizationQuery
  workspaces: readonly z.infer<typeof WorkspaceView>[]
}

/** What the person submitted before, if the page is shown again. */
interface Again {
  sent: Sent
  refusal: Refusal
}

const details = ({ client, redirectUri }: AuthorizationRequest): Html => {
  const host = hostOfClient(client.id)
  return html`<dl>
<div><dt>Name given by the assistant</dt><dd>${client.name}</dd></div>
<div><dt>Site of the assistant</dt><dd>${host ?? 'Unknown: the name is not verified'}</dd></div>
<div><dt>Access goes to</dt><dd>${destinationOf(redirectUri)}</dd></div>
</dl>
${
  isLoopback(redirectUri)
    ? html`<p class="alert">Access goes to a program on your computer, and any program can give itself this name. Allow it only if you have just connected it yourself.</p>`
    : host === undefined
      ? html`<p class="alert">Anyone can give an assistant this name. Allow it only if you have just connected it yourself, and if ${destinationOf(redirectUri)} belongs to it.</p>`
      : nothing
}`
}

const choice = (
  { type, name, value }: { type: 'radio' | 'checkbox'; name: string; value: string },
  checked: boolean,
  label: string,
): Html =>
  html`<label class="choice"><input type="${type}" name="${name}" value="${value}"${checked ? html` checked` : nothing}> ${label}</label>`

interface Input {
  name: string
  label: string
  type: 'number' | 'time'
  value: string | undefined
  hint: string
  limits?: Html
}

const input = ({ name, label, type, value, hint, limits = nothing }: Input): Html =>
  html`<div class="field"><label for="${name}">${label}</label><p class="hint" id="${name}-hint">${hint}</p><input id="${name}" name="${name}" type="${type}"${limits}${value === undefined ? nothing : html` value="${value}"`} aria-describedby="${name}-hint"></div>`

const safety = (sent: Sent): Html => html`<h2>Limits</h2>
${choice({ type: 'checkbox', name: 'drafts_only', value: 'on' }, sent['drafts_only'] === 'on', 'Drafts only')}
<p class="hint">It reads what you allow above, and changes nothing but drafts.</p>
${input({
  name: 'posts_per_day',
  label: 'Posts per day (optional)',
  type: 'number',
  value: sent['posts_per_day'],
  hint: 'Each post of a thread counts, and so does each edit of a post’s text or files. Moving a post to another time doesn’t.',
  limits: html` min="1" max="${maxPostsPerDay}"`,
})}
${input({
  name: 'quiet_from',
  label: 'Quiet hours: from (optional)',
  type: 'time',
  value: sent['quiet_from'],
  hint: 'The assistant publishes nothing in these hours, in the workspace’s time zone.',
})}
${input({
  name: 'quiet_to',
  label: 'Quiet hours: to (optional)',
  type: 'time',
  value: sent['quiet_to'],
  hint: 'An earlier time than the start means the next day.',
})}`

/** The page where a person decides what an assistant may do for them, in which workspace. */
export const consentPage = (
  visitor: Visitor,
  { request, parameters, workspaces }: ConsentRequest,
  again?: Again,
): Page => {
  const { client, scopes, chosen } = request
  const title = 'Connect an assistant?'
  const [first] = workspaces
  if (first === undefined) {
    return {
      title,
      body: html`${details(request)}<p class="alert" role="alert">None of your workspaces allows assistants. Create one, or ask an owner to turn assistants on.</p>
${links({ 'Your workspaces': 'workspaces' })}`,
    }
  }
  const checked = checkedAtFirst(scopes, chosen)
  const isChecked = (scope: (typeof scopes)[number]) =>
    again === undefined ? checked.includes(scope) : again.sent[boxOf(scope)] !== undefined
  const workspace = again?.sent['workspace'] ?? first.id
  const preset = again?.sent['preset'] ?? ''
  return {
    title,
    body: html`${alert(again?.refusal)}<p>${client.name} wants to act for ${visitor.session.name}, ${visitor.session.email}.</p>
${details(request)}
<form method="post" action="authorize">
${hidden('form_key', visitor.formKey)}${parameterNames.map((name) => hidden(name, parameters[name]))}
<h2>Workspace</h2>
${workspaces.map(({ id, name }) => choice({ type: 'radio', name: 'workspace', value: id }, id === workspace, name))}
<h2>Permissions</h2>
${presetsFor(scopes).map((name) => choice({ type: 'radio', name: 'preset', value: name }, name === preset, presets[name].label))}
${choice({ type: 'radio', name: 'preset', value: '' }, preset === '', 'Custom:')}
${scopes.map((scope) => choice({ type: 'checkbox', name: boxOf(scope), value: 'on' }, isChecked(scope), scopeLabels[scope]))}
${safety(again?.sent ?? {})}
<button class="main" name="answer" value="allow">Allow</button>
<button name="answer" value="deny">Deny</button>
</form>
<p class="soft after">Access ends when the assistant signs out, after 30 days without use, or when you leave the workspace.</p>`,
  }
}

/** The page that links back to the assistant: a redirect after a form must not leave the site (form-action). */
export const backPage = (address: string, allowed: boolean): Page => ({
  title: allowed ? 'The assistant is connected' : 'The assistant isn’t connected',
  body: html`<p class="notice" role="status">You can close this page if your assistant has opened.</p>${links({ 'Back to the assistant': address })}`,
  leadsTo: address,
})

/** A request that the person can return to its sender; it is not sent back by itself (RFC 9700, 4.11.2). */
export const returnedPage = ({ message, address }: ReturnedRequest): Page => ({
  title: 'Couldn’t connect the assistant',
  body: html`<p class="alert" role="alert">${message}</p>${links({ 'Back to the assistant': address })}`,
})
