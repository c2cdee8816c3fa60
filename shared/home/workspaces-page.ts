import type { Context } from '../context.ts'
import type { Refusal } from '../errors/refusal.ts'
import { alert, field, hidden, links } from '../pages/field.ts'
import type { Sent } from '../pages/form.ts'
import { type Html, html } from '../pages/html.ts'
import type { Page } from '../pages/layout.ts'
import { withQuery } from '../pages/own-page.ts'
import { signedInAs } from '../pages/sign-out-form.ts'
import type { Visitor } from '../pages/visitor.ts'
import { listWorkspaces } from '../workspaces/list.ts'

type Listed = Awaited<ReturnType<typeof listWorkspaces>>[number]

const roleNames = { owner: 'Owner', admin: 'Admin', member: 'Member' } as const

const row = ({ id, name, role }: Listed): Html =>
  html`<li><a href="${withQuery('workspace', { id })}">${name}</a><span class="soft">${roleNames[role]}</span></li>`

const listed = (workspaces: readonly Listed[]): Html =>
  workspaces.length === 0
    ? html`<p>A workspace holds accounts, posts, and the people who work on them. Create your first one.</p>`
    : html`<ul class="rows">${workspaces.map(row)}</ul>`

/** The workspaces of a person, and a form for another one. */
export const workspacesPage = async (
  ctx: Context,
  visitor: Visitor,
  { sent = {}, refusal }: { sent?: Sent; refusal?: Refusal } = {},
): Promise<Page> => {
  const workspaces = await listWorkspaces(ctx, visitor.session.userId)
  return {
    title: 'Your workspaces',
    script: 'workspaces.js',
    body: html`${alert(refusal, 'name', 'timezone')}${listed(workspaces)}
<h2>Create a workspace</h2>
<form method="post" action="workspaces">
${hidden('form_key', visitor.formKey)}
${field({ name: 'name', label: 'Name', type: 'text', autocomplete: 'organization', maxLength: 100, value: sent['name'] }, refusal)}
${field({ name: 'timezone', label: 'Time zone', type: 'text', autocomplete: 'off', maxLength: 100, value: sent['timezone'] ?? 'UTC', hint: 'The calendar uses it, for example Europe/Berlin' }, refusal)}
<button class="main">Create</button>
</form>
${links({ 'Open the console': 'console', 'Sign in on a device': 'device', Notifications: 'notifications', 'API reference': 'api/docs' })}
${signedInAs(visitor)}`,
  }
}
