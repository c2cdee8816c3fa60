import { hidden } from '../pages/field.ts'
import { html, nothing } from '../pages/html.ts'
import type { Page } from '../pages/layout.ts'
import type { Visitor } from '../pages/visitor.ts'
import type { Connection } from '../platforms/connection.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import type { ConnectLink } from './oauth-state.ts'
import type { SocialAccount } from './social-account.ts'

type Named = Pick<Connection, 'username' | 'displayName' | 'externalId' | 'providerName'>

const nameOf = ({ username, displayName, externalId }: Named) => displayName ?? username ?? externalId

/** The sentence for a connected account. */
export const connectedSentence = (workspace: Workspace, account: SocialAccount): string =>
  `${account.providerName}: ${nameOf(account)} is connected to ${workspace.name}.`

/** The page after accounts were connected. */
export const connectedPage = (sentences: readonly string[]): Page => ({
  title: 'Connected',
  body: html`${sentences.map((sentence) => html`<p class="notice" role="status">${sentence}</p>`)}
<p>You can close this page.</p>`,
})

/** The page after nothing was connected. */
export const notConnectedPage = (sentence: string): Page => ({
  title: 'Not connected',
  body: html`<p class="alert" role="alert">${sentence}</p>`,
})

/** The form to select accounts when one login grants access to several. */
export const choicePage = (
  action: string,
  workspace: Pick<Workspace, 'name'>,
  connections: readonly Connection[],
  ticket: string,
  wrong?: string,
): Page => ({
  title: 'Select accounts',
  body: html`${wrong === undefined ? undefined : html`<p class="alert" role="alert">${wrong}</p>`}
<p>Your login grants access to several ${connections[0]?.providerName ?? ''} accounts. Select those that ${workspace.name} can post to.</p>
<form method="post" action="${action}">
${hidden('ticket', ticket)}
${connections.map(
  (connection, place) =>
    html`<label class="choice"><input type="checkbox" id="account_${place}" name="account_${place}" value="yes"> ${nameOf(connection)}</label>`,
)}
<button class="main">Connect</button>
</form>`,
})

/** A warning if the signed-in person is not the one who created the link. */
const anotherVisitor = (link: ConnectLink, visitor: Visitor | undefined) =>
  visitor === undefined || visitor.session.userId === link.userId
    ? nothing
    : html`<p class="alert" role="alert">You are signed in as ${visitor.session.email}, but ${link.email} created this link.</p>`

/** The page of a link to connect an account: it names the workspace before anything is connected. */
export const confirmPage = (
  link: ConnectLink,
  workspace: Pick<Workspace, 'name'>,
  ticket: string,
  visitor: Visitor | undefined,
): Page => ({
  title: `Connect ${link.providerName} to ${workspace.name}?`,
  body: html`<p>Everyone in the workspace can then post with your account. Continue only if you know the workspace and the person who requested this.</p>
${anotherVisitor(link, visitor)}
<dl>
<div><dt>Workspace</dt><dd>${workspace.name}</dd></div>
<div><dt>Platform</dt><dd>${link.providerName}</dd></div>
<div><dt>Requested by</dt><dd>${link.name}, ${link.email}</dd></div>
</dl>
<form method="post" action="connect-accounts">
${hidden('ticket', ticket)}
<button class="main">Connect with ${link.providerName}</button>
</form>
<p class="soft after">If you did not expect this, close the page. Nothing is connected.</p>`,
})

/** The page that leads to the platform; the form policy (CSP, form-action) would block a redirect. */
export const onwardPage = (providerName: string, leadsTo: string, cookie: string): Page => ({
  title: `Continue at ${providerName}`,
  leadsTo,
  cookie,
  body: html`<p><a href="${leadsTo}" rel="noreferrer">Continue at ${providerName}</a></p>`,
})
