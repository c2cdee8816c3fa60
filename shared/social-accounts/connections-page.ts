import type { Context } from '../context.ts'
import type { Refusal } from '../errors/refusal.ts'
import { alert, hidden } from '../pages/field.ts'
import { type Html, html, nothing } from '../pages/html.ts'
import type { Page } from '../pages/layout.ts'
import { withQuery } from '../pages/own-page.ts'
import { closingNotice } from '../platforms/api-end.ts'
import { definitionOf } from '../platforms/definitions.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import { type Brand, backTo, logoOf, lookOf, nameOf } from './connect-pages.ts'
import { listAccounts } from './find.ts'
import type { StoredLink } from './oauth-state.ts'
import { isUsable, type SocialAccount } from './social-account.ts'
import { brandOf, noAccessPage, workspaceOf } from './store-connections.ts'

/** The accounts of the customer whom a link is for, oldest first. */
export const accountsOf = async (ctx: Context, { workspaceId, integratorId }: StoredLink): Promise<SocialAccount[]> =>
  // A link without a customer has no accounts: accounts without a customer are not theirs.
  integratorId === undefined
    ? []
    : (await listAccounts(ctx, workspaceId)).filter((account) => account.integratorId === integratorId)

const titleOf = (account: SocialAccount) => `${account.providerName}: ${nameOf(account)}`

const healthOf = (account: SocialAccount, brand: Brand): string => {
  const { accessEndsAt } = account
  if (isUsable(account)) {
    const until = accessEndsAt === undefined ? '.' : ` until ${accessEndsAt.slice(0, 10)}. Connect it again before.`
    return `Connected. ${brand.name} can post to it${until}`
  }
  return account.isConnected
    ? `${account.providerName} rejects the login. Posts fail until you connect the account again.`
    : 'Disconnected. Posts fail until you connect the account again.'
}

interface Listed {
  account: SocialAccount
  /** That the platform closes its API. */
  notice: string | undefined
}

const connection = ({ account, notice }: Listed, brand: Brand, ticket: string): Html =>
  html`<section class="plan">
<h2>${titleOf(account)}</h2>
<p>${healthOf(account, brand)}</p>
${notice === undefined ? nothing : html`<p class="notice">${notice}</p>\n`}<form method="post" action="connect-accounts">
${hidden('ticket', ticket)}${hidden('act', 'connect')}${hidden('account', account.id)}<button${isUsable(account) ? nothing : html` class="main"`}>Connect again<span class="unseen"> ${titleOf(account)}</span></button>
</form>
${
  account.isConnected
    ? html`<p class="after"><a href="${withQuery('connect-accounts', { ticket, account: account.id })}">Disconnect<span class="unseen"> ${titleOf(account)}</span></a></p>\n`
    : nothing
}</section>`

/** A link to the connections of a customer, by its ticket, and its workspace. */
export interface OfCustomer {
  ticket: string
  link: StoredLink
  workspace: Workspace
}

interface Shown {
  /** The connection to be ended, which the page asks about. */
  account?: string | undefined
  refusal?: Refusal | undefined
  notice?: string | undefined
}

const listPage = (
  { returnTo }: StoredLink,
  { brand, accounts, ticket }: { brand: Brand; accounts: readonly Listed[]; ticket: string },
  { refusal, notice }: Shown,
): Page => ({
  title: `Your accounts at ${brand.name}`,
  ...lookOf(brand),
  body: html`${alert(refusal)}${notice === undefined ? nothing : html`<p class="notice" role="status">${notice}</p>`}${logoOf(brand)}
${accounts.length === 0 ? html`<p>No account is connected.</p>` : accounts.map((listed) => connection(listed, brand, ticket))}
${returnTo === undefined ? html`<p>You can close this page.</p>` : backTo(returnTo.url)}`,
})

const confirmPage = (account: SocialAccount, brand: Brand, ticket: string): Page => ({
  title: `Disconnect ${titleOf(account)}?`,
  ...lookOf(brand),
  body: html`${logoOf(brand)}<p>${brand.name} can then no longer post to this account. Posts that are scheduled fail at their time, unless you connect the account again.</p>
<form method="post" action="connect-accounts">
${hidden('ticket', ticket)}${hidden('act', 'disconnect')}${hidden('account', account.id)}<button class="main">Disconnect</button>
</form>
<p class="after"><a href="${withQuery('connect-accounts', { ticket })}">Keep it connected</a></p>`,
})

/** The page with the connections of a customer, or the question whether to end one of them, in their workspace. */
export const connectionsPage = async (
  ctx: Context,
  { ticket, link, workspace }: OfCustomer,
  shown: Shown,
): Promise<Page> => {
  const [brand, accounts] = await Promise.all([brandOf(ctx, workspace), accountsOf(ctx, link)])
  const ending = accounts.find(({ id, isConnected }) => id === shown.account && isConnected)
  if (ending !== undefined) return confirmPage(ending, brand, ticket)
  const listed = accounts.map((account) => ({ account, notice: closingNotice(ctx, definitionOf(account.platform)) }))
  return listPage(link, { brand, accounts: listed, ticket }, shown)
}

/** The same page, unless the creator of the link has lost access. */
export const showConnections = async (ctx: Context, ticket: string, link: StoredLink, shown: Shown): Promise<Page> => {
  const workspace = await workspaceOf(ctx, link)
  return workspace === undefined ? noAccessPage(ctx, link) : connectionsPage(ctx, { ticket, link, workspace }, shown)
}
