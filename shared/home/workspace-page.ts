import type { Context } from '../context.ts'
import type { Refusal } from '../errors/refusal.ts'
import { alert, field, hidden, links } from '../pages/field.ts'
import type { Sent } from '../pages/form.ts'
import { type Html, html, nothing } from '../pages/html.ts'
import type { Page } from '../pages/layout.ts'
import { withQuery } from '../pages/own-page.ts'
import { refusedPage } from '../pages/refused.ts'
import { signedInAs } from '../pages/sign-out-form.ts'
import type { Visitor } from '../pages/visitor.ts'
import { browserPlatforms, definitionOf, formFieldsOf, isBrowserPlatform } from '../platforms/definitions.ts'
import { platformIds } from '../resources.ts'
import { nameOf } from '../social-accounts/connect-pages.ts'
import { listAccounts } from '../social-accounts/find.ts'
import { formInputs } from '../social-accounts/form-inputs.ts'
import { isUsable, type SocialAccount } from '../social-accounts/social-account.ts'
import { findMembership } from '../workspaces/assert-membership.ts'
import { hasAccess } from '../workspaces/subscription.ts'
import type { Member, Workspace } from '../workspaces/workspace.ts'
import { assistantResults, assistantsOf } from './assistants.ts'
import { rightsOfTokens, tokenRights, type WorkspaceQuery } from './input.ts'

interface Shown {
  query: WorkspaceQuery
  sent?: Sent
  refusal?: Refusal
}

const back = links({ 'Your workspaces': 'workspaces' })

const account = (shown: SocialAccount): Html =>
  html`<li><span>${shown.providerName}: ${nameOf(shown)}</span><span class="soft">${isUsable(shown) ? 'Connected' : 'Needs to be reconnected'}</span></li>`

const accountList = (accounts: readonly SocialAccount[]): Html =>
  accounts.length === 0
    ? html`<p>No account is connected yet.</p>`
    : html`<ul class="rows">${accounts.map(account)}</ul>
<p class="soft">To reconnect an account, connect it again. Its posts stay.</p>`

const keys = (visitor: Visitor, { id }: Workspace): Html =>
  html`${hidden('form_key', visitor.formKey)}${hidden('id', id)}`

/** The platforms with a form, which is here without its optional fields. */
const forms = platformIds
  .filter((platform) => !isBrowserPlatform(platform))
  .map((platform) => ({ platform, fields: formFieldsOf(platform).filter(({ optional }) => !optional) }))

const fieldNames = forms.flatMap(({ fields }) => fields.map(({ name }) => name))

const connectForms = (visitor: Visitor, workspace: Workspace, { sent = {}, refusal }: Shown): Html =>
  html`<h2>Connect an account</h2>
<ul class="rows">${browserPlatforms.map(
    (platform) => html`<li><span>${definitionOf(platform).name}</span>
<form method="post" action="workspace-connect">${keys(visitor, workspace)}${hidden('platform', platform)}<button>Connect<span class="unseen"> ${definitionOf(platform).name}</span></button></form></li>`,
  )}</ul>
${forms.map(
  ({ platform, fields }) => html`<section class="plan">
<h2>${definitionOf(platform).name}</h2>
<form method="post" action="workspace-connect">
${keys(visitor, workspace)}${hidden('platform', platform)}${formInputs(fields, sent, refusal)}
<button>Connect ${definitionOf(platform).name}</button>
</form>
</section>`,
)}`

const tokenForm = (visitor: Visitor, workspace: Workspace, { sent = {}, refusal }: Shown): Html =>
  html`<h2>Create a token</h2>
<p>Your program sends it as <code>Authorization: Bearer …</code>, with the ID of the workspace as <code>X-Workspace-Id</code>.</p>
<form method="post" action="workspace-token">
${keys(visitor, workspace)}
${field({ name: 'name', label: 'Name of the token', type: 'text', autocomplete: 'off', maxLength: 100, value: sent['name'], hint: 'For example the program that uses it' }, refusal)}
${rightsOfTokens.map(
  (right) =>
    html`<label class="choice"><input type="radio" name="rights" value="${right}"${right === (sent['rights'] ?? 'publish') ? html` checked` : nothing}> ${tokenRights[right].label}</label>`,
)}
<button>Create the token</button>
</form>`

const notice = (text: string): Html => html`<p class="notice" role="status">${text}</p>`

const notices = ({ connected, done }: WorkspaceQuery): Html => {
  if (connected !== undefined) return notice(`${definitionOf(connected).name} is connected.`)
  return done === undefined ? nothing : notice(assistantResults[done])
}

interface Membership {
  workspace: Workspace
  member: Member
}

const ofMember = async (ctx: Context, visitor: Visitor, membership: Membership, shown: Shown): Promise<Page> => {
  const { workspace } = membership
  const { id, name, slug, subscription } = workspace
  const billing = withQuery('billing', { workspace: slug })
  const mayPublish = hasAccess(subscription, ctx.clock.now())
  const [accounts, assistants] = await Promise.all([listAccounts(ctx, id), assistantsOf(ctx, visitor, membership)])
  return {
    title: name,
    body: html`${alert(shown.refusal, 'name', ...fieldNames)}${notices(shown.query)}
<p><a href="${withQuery('console', { workspace: id })}">Open ${name} in the console</a></p>
<dl><div><dt>ID of the workspace</dt><dd><code>${id}</code></dd></div></dl>
<h2>Accounts</h2>
${accountList(accounts)}
${
  mayPublish
    ? connectForms(visitor, workspace, shown)
    : html`<p class="alert" role="alert">This workspace needs a plan before it can connect accounts and publish. <a href="${billing}">Choose a plan</a></p>`
}
${tokenForm(visitor, workspace, shown)}
${assistants}
${links({ 'Plan and usage': billing, 'API reference': 'api/docs', 'Your workspaces': 'workspaces' })}
${signedInAs(visitor)}`,
  }
}

/** A workspace as shown to its member: its accounts, and forms to connect one and to create a token. */
export const workspacePage = async (ctx: Context, visitor: Visitor, shown: Shown): Promise<Page> => {
  const { id } = shown.query
  const membership = id === undefined ? undefined : await findMembership(ctx, visitor.session.userId, id)
  if (membership !== undefined) return ofMember(ctx, visitor, membership, shown)
  return {
    title: 'No such workspace',
    body: html`<p class="alert" role="alert">You are not a member of a workspace with this ID.</p>${back}${signedInAs(visitor)}`,
  }
}

/** Shows the page again after one of its forms was refused. */
export const workspaceAgain = (
  { ctx, sent, visitor }: { ctx: Context; sent: Sent; visitor: Visitor | undefined },
  refusal: Refusal,
): Page | Promise<Page> =>
  visitor === undefined
    ? refusedPage(refusal.message)
    : workspacePage(ctx, visitor, { query: { id: sent['id'] }, sent, refusal })
