import type { Context } from '../context.ts'
import { scopes } from '../identity/scope.ts'
import { type ConnectionView, listConnections, managesAll } from '../oauth/connection-view.ts'
import { limitsOf } from '../oauth/safety-limits.ts'
import { scopeLabels } from '../oauth/scopes.ts'
import { hidden, links } from '../pages/field.ts'
import { type Html, html, nothing } from '../pages/html.ts'
import type { Visitor } from '../pages/visitor.ts'
import type { Member, Workspace } from '../workspaces/workspace.ts'
import type { assistantActs } from './input.ts'

type Act = (typeof assistantActs)[number]

export const assistantResults: Readonly<Record<Act, string>> = {
  disconnect: 'The assistant is disconnected.',
  off: 'Assistants are off. Their next call is rejected.',
  on: 'Assistants are on.',
}

/** The most connections that the page shows. The API lists all. */
const maxShown = 50

const rightsOf = (connection: ConnectionView): string[] =>
  scopes.filter((scope) => connection.scopes.includes(scope)).map((scope) => scopeLabels[scope])

const fact = (name: string, ...values: readonly string[]): Html =>
  html`<div><dt>${name}</dt>${values.map((value) => html`<dd>${value}</dd>`)}</div>`

const doing = (visitor: Visitor, workspaceId: string, act: Act): Html =>
  html`${hidden('form_key', visitor.formKey)}${hidden('id', workspaceId)}${hidden('act', act)}`

const item = (visitor: Visitor, workspaceId: string, connection: ConnectionView): Html => {
  const { id, clientName, clientHost, userName, createdAt, lastUsedAt, safety } = connection
  return html`<section class="plan">
<h3>${clientName}</h3>
<dl>
${fact('Site of the assistant', clientHost ?? 'Unknown: the name is not verified')}
${fact('Acts for', userName ?? 'A deleted account')}
${fact('It may', ...rightsOf(connection))}
${fact('Limits', limitsOf(safety))}
${fact('Allowed on', createdAt.slice(0, 10))}
${fact('Last used', lastUsedAt === null ? 'Never' : lastUsedAt.slice(0, 10))}
</dl>
<form method="post" action="workspace-assistants">${doing(visitor, workspaceId, 'disconnect')}${hidden('connection', id)}<button>Disconnect<span class="unseen"> ${clientName}</span></button></form>
</section>`
}

const switchOf = (visitor: Visitor, { id, assistantsEnabled }: Workspace, { role }: Member): Html => {
  const isOn = assistantsEnabled !== false
  const state = html`<p>${isOn ? 'Assistants can act for members of this workspace.' : 'Assistants are off in this workspace. Their calls are rejected.'}</p>`
  if (role !== 'owner') return isOn ? nothing : state
  return html`${state}
<form method="post" action="workspace-assistants">${doing(visitor, id, isOn ? 'off' : 'on')}<button>${isOn ? 'Turn assistants off' : 'Turn assistants on'}</button></form>`
}

/** The assistants of a workspace that a member may see, with the switch of the owner. */
export const assistantsOf = async (
  ctx: Context,
  visitor: Visitor,
  { workspace, member }: { workspace: Workspace; member: Member },
): Promise<Html> => {
  const { items, total } = await listConnections(ctx, member, { limit: maxShown, offset: 0 })
  const none = managesAll(member) ? 'No assistants yet.' : 'You haven’t connected an assistant.'
  return html`<h2>Assistants</h2>
${items.length === 0 ? html`<p>${none}</p>` : items.map((connection) => item(visitor, workspace.id, connection))}
${total > items.length ? html`<p class="soft">These are the newest ${items.length} of ${total}. The API lists all.</p>` : nothing}
${switchOf(visitor, workspace, member)}
${links({ 'How assistants work': 'api/docs/guides/assistants' })}`
}
