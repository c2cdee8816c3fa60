import { hidden } from '../pages/field.ts'
import { html } from '../pages/html.ts'
import type { Page } from '../pages/layout.ts'
import type { Connection } from '../platforms/connection.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import type { SocialAccount } from './social-account.ts'

type Named = Pick<Connection, 'username' | 'displayName' | 'externalId' | 'providerName'>

const nameOf = ({ username, displayName, externalId }: Named) => displayName ?? username ?? externalId

/** What a person reads of an account that was connected. */
export const connectedSentence = (workspace: Workspace, account: SocialAccount): string =>
  `${account.providerName}: ${nameOf(account)} is connected to ${workspace.name}.`

/** What a person reads when accounts were connected. */
export const connectedPage = (sentences: readonly string[]): Page => ({
  title: 'Connected',
  body: html`${sentences.map((sentence) => html`<p class="notice" role="status">${sentence}</p>`)}
<p>You can close this page.</p>`,
})

/** What a person reads when nothing was connected. */
export const notConnectedPage = (sentence: string): Page => ({
  title: 'Not connected',
  body: html`<p class="alert" role="alert">${sentence}</p>`,
})

/** Where a person chooses, when one login opens several accounts. */
export const choicePage = (
  action: string,
  connections: readonly Connection[],
  ticket: string,
  wrong?: string,
): Page => ({
  title: 'Which accounts?',
  body: html`${wrong === undefined ? undefined : html`<p class="alert" role="alert">${wrong}</p>`}
<p>Your login opens several ${connections[0]?.providerName ?? ''} accounts. Choose those that posts shall go to.</p>
<form method="post" action="${action}">
${hidden('ticket', ticket)}
${connections.map(
  (connection, place) =>
    html`<label class="choice"><input type="checkbox" id="account_${place}" name="account_${place}" value="yes"> ${nameOf(connection)}</label>`,
)}
<button class="main">Connect</button>
</form>`,
})
