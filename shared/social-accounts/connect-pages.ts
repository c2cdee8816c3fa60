import type { Context } from '../context.ts'
import type { ErrorCode } from '../errors/catalog.ts'
import type { Refusal } from '../errors/refusal.ts'
import type { User } from '../identity/user.ts'
import { alert, hidden } from '../pages/field.ts'
import type { Sent } from '../pages/form.ts'
import { type Html, html, nothing } from '../pages/html.ts'
import type { Page } from '../pages/layout.ts'
import { withQuery } from '../pages/own-page.ts'
import type { Visitor } from '../pages/visitor.ts'
import type { Connection } from '../platforms/account.ts'
import { definitionOf, formFieldsOf } from '../platforms/definitions.ts'
import type { PlatformId } from '../resources.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import { formInputs } from './form-inputs.ts'
import { type ConnectIntent, type ConnectLink, returnHost, returnUrl, type StoredLink } from './oauth-state.ts'

/** The workspace that asks for an account, as shown to the account's owner. */
export type Brand = Pick<Workspace, 'name' | 'logo' | 'brandColor'>

type Named = Pick<Connection, 'platform' | 'username' | 'displayName' | 'externalId' | 'providerName'>

/**
 * The name under which people know an account; the host of its server if they named one, since such a server can use any
 * names.
 */
export const nameOf = ({ platform, username, displayName, externalId }: Named) => {
  const isAtServer = !Array.isArray(definitionOf(platform).postsAt)
  return (isAtServer ? (username ?? displayName) : (displayName ?? username)) ?? externalId
}

/** The sentence for a link that has expired or was used. */
export const expiredSentence = 'This link has expired or was already used. Start again from your workspace.'

/** The sentence for a connected account. */
export const connectedSentence = (brand: Brand, account: Named): string =>
  `${account.providerName}: ${nameOf(account)} is connected to ${brand.name}.`

const linkTo = (address: string, text: string) => html`<p><a href="${address}" rel="noreferrer">${text}</a></p>`

/** A link to the app that sent the person. */
export const backTo = (address: string): Html => linkTo(address, `Return to ${new URL(address).host}`)

/** One of our pages, from any address. */
const linkToPage = (ctx: Context, path: string, text: string) => linkTo(`${ctx.env('BASE_URL')}${path}`, text)

/**
 * The page after accounts were connected. It leads to the app that sent the person; without one, a member of the workspace
 * can continue there.
 */
export const connectedPage = (
  ctx: Context,
  workspaceId: string,
  sentences: readonly string[],
  back: string | undefined,
): Page => ({
  title: 'Connected',
  ...(back === undefined ? {} : { leadsTo: back }),
  body: html`${sentences.map((sentence) => html`<p class="notice" role="status">${sentence}</p>`)}
${
  back === undefined
    ? html`<p>You can close this page.</p>\n${linkToPage(ctx, withQuery('/console', { workspace: workspaceId }), 'Go to the workspace')}`
    : backTo(back)
}`,
})

/** The page after nothing was connected. */
export const notConnectedPage = (ctx: Context, sentence: string, back?: string): Page => ({
  title: 'Not connected',
  body: html`<p class="alert" role="alert">${sentence}</p>
${back === undefined ? linkToPage(ctx, '/workspaces', 'Go to your workspaces') : backTo(back)}`,
})

/** The page after a callback that was refused or failed. Its effect may be unknown. */
export const unfinishedPage = (ctx: Context): Page =>
  notConnectedPage(ctx, 'The login was not completed. If the account is not in the workspace, connect it again.')

/** Where a person returns, and with which platform, if one is known. */
export type Returning = Pick<StoredLink, 'platform' | 'returnTo'>

/** The same page for a link that has a return address, with the reason. */
export const failedPage = (ctx: Context, { platform, returnTo }: Returning, error: ErrorCode, sentence: string): Page =>
  notConnectedPage(ctx, sentence, returnTo && returnUrl(returnTo, platform, { status: 'failed', error }))

/** The page of an expired link to the connections of a customer. */
const endedConnectionsPage = ({ returnTo }: Returning): Page => ({
  title: 'Link expired',
  body: html`<p class="alert" role="alert">This link has expired. Ask for another one.</p>
${returnTo === undefined ? html`<p>You can close this page.</p>` : backTo(returnTo.url)}`,
})

/**
 * The page of an expired link. The person has not seen the return address yet, so it takes a click (RFC 9700, section 4.11).
 */
export const expiredLinkPage = (ctx: Context, link: StoredLink): Page =>
  link.opens === 'connections'
    ? endedConnectionsPage(link)
    : failedPage(ctx, link, 'connect_link_expired', expiredSentence)

/** The form to select accounts when one login grants access to several. */
export const choicePage = (
  action: string,
  of: Pick<ConnectIntent, 'platform' | 'returnTo'>,
  { brand, connections }: { brand: Brand; connections: readonly Connection[] },
  { ticket, wrong }: { ticket: string; wrong?: string | undefined },
): Page => ({
  title: 'Select accounts',
  ...lookOf(brand),
  body: html`${wrong === undefined ? undefined : html`<p class="alert" role="alert">${wrong}</p>`}
${logoOf(brand)}<p>Your login grants access to several ${connections[0]?.providerName ?? ''} accounts. Select those that ${brand.name} can post to.</p>
<form method="post" action="${action}">
${hidden('ticket', ticket)}
${connections.map(
  (connection, index) =>
    html`<label class="choice"><input type="checkbox" id="account_${index}" name="account_${index}" value="yes"> ${nameOf(connection)}</label>`,
)}
<button class="main">Connect</button>
</form>
${cancelLink(of)}`,
})

/** The person whose session or token created a link. */
type Requester = Pick<User, 'id' | 'name'>

/** What a page says of a link: who wants the account, and who made the link. */
interface Request {
  brand: Brand
  requester: Requester
}

/**
 * A warning if the signed-in person is not the one who created the link. A link that returns to an app is made for its
 * customers, who are other people.
 */
const anotherVisitor = (requester: Requester, visitor: Visitor | undefined, { returnTo }: Returning) =>
  visitor === undefined || visitor.session.userId === requester.id || returnTo !== undefined
    ? nothing
    : html`<p class="alert" role="alert">You are signed in as ${visitor.session.email}, but ${requester.name} created this link.</p>`

/** Who wants to post, and the member who made the link, if the person did not come from an app. */
const wish = ({ returnTo }: Returning, { brand, requester }: Request, account: string): string => {
  const isByApp = returnTo !== undefined || requester.name === brand.name
  const trust = isByApp
    ? `Continue only if you trust ${brand.name}.`
    : `${requester.name} created this link. Continue only if you trust both.`
  return `${brand.name} wants to post to ${account}. ${trust}`
}

/** What a branded page needs beyond its text. */
export const lookOf = ({ name, logo, brandColor }: Brand): Pick<Page, 'brand' | 'hasImage' | 'brandColor'> => ({
  brand: name,
  ...(logo === null ? {} : { hasImage: true }),
  ...(typeof brandColor === 'string' ? { brandColor } : {}),
})

/** The logo above the text of a page. */
export const logoOf = ({ logo }: Brand): Html =>
  logo === null ? nothing : html`<p><img class="logo" src="${logo}" alt=""></p>\n`

const cancelLink = ({ platform, returnTo }: Returning) =>
  returnTo === undefined
    ? nothing
    : html`<p class="after"><a href="${returnUrl(returnTo, platform, { status: 'cancelled' })}" rel="noreferrer">Cancel and return to ${returnHost(returnTo)}</a></p>`

/** Who sees the page, and what they submitted before it was refused. */
interface Shown {
  visitor?: Visitor | undefined
  sent?: Sent
  refusal?: Refusal
  /** What people should know of the platforms before they connect an account. */
  notices?: readonly string[]
}

const noticed = (notices: readonly string[] = []) => notices.map((notice) => html`<p class="notice">${notice}</p>\n`)

/** The fields that a link's page asks for: none that the link contains already. */
const fieldsOf = ({ platform, server }: ConnectLink) => (server === undefined ? formFieldsOf(platform) : [])

/** "your X account", with the server that the link names. */
const accountOf = ({ providerName, server }: ConnectLink): string =>
  `your ${providerName} account${server === undefined ? '' : ` at ${new URL(server).host}`}`

/** The page of a link to connect an account: it names the workspace before anything is connected. */
export const confirmPage = (
  link: ConnectLink,
  request: Request,
  ticket: string,
  { visitor, sent, refusal, notices }: Shown,
): Page => ({
  title: `Connect ${link.providerName} to ${request.brand.name}?`,
  ...lookOf(request.brand),
  body: html`${alert(refusal, ...fieldsOf(link).map(({ name }) => name))}${logoOf(request.brand)}<p>${wish(link, request, accountOf(link))}</p>
${noticed(notices)}${anotherVisitor(request.requester, visitor, link)}
<form method="post" action="connect-accounts">
${hidden('ticket', ticket)}${formInputs(fieldsOf(link), sent, refusal)}
<button class="main">Connect with ${link.providerName}</button>
</form>
${cancelLink(link)}
<p class="soft after">If you did not expect this, close the page. Nothing is connected.</p>`,
})

/** The page of a link that is for no single platform: it names the workspace, and has a button for each platform. */
export const platformsPage = (
  link: Returning,
  request: Request,
  { ticket, platforms }: { ticket: string; platforms: readonly PlatformId[] },
  { visitor, refusal, notices }: Shown,
): Page => ({
  title: `Connect an account to ${request.brand.name}?`,
  ...lookOf(request.brand),
  body: html`${alert(refusal)}${logoOf(request.brand)}<p>${wish(link, request, 'an account of yours')}</p>
${noticed(notices)}${anotherVisitor(request.requester, visitor, link)}
<form method="post" action="connect-accounts">
${hidden('ticket', ticket)}
${platforms.map((platform) => html`<button name="platform" value="${platform}">Connect with ${definitionOf(platform).name}</button>\n`)}</form>
${cancelLink(link)}
<p class="soft after">If you did not expect this, close the page. Nothing is connected.</p>`,
})

/** The page that leads to the platform; the form policy (CSP, form-action) would block a redirect. */
export const onwardPage = (providerName: string, leadsTo: string, cookie: string): Page => ({
  title: `Continue at ${providerName}`,
  leadsTo,
  cookie,
  body: html`<p><a href="${leadsTo}" rel="noreferrer">Continue at ${providerName}</a></p>`,
})
