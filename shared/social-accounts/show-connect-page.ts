import type * as z from 'zod/mini'
import type { Context } from '../context.ts'
import type { Refusal } from '../errors/refusal.ts'
import type { Sent } from '../pages/form.ts'
import type { Page } from '../pages/layout.ts'
import { refusedPage } from '../pages/refused.ts'
import type { Visitor } from '../pages/visitor.ts'
import { closingNotice } from '../platforms/api-end.ts'
import { definitionOf, isBrowserPlatform } from '../platforms/definitions.ts'
import type { PlatformId } from '../resources.ts'
import { type Choice, type ChoiceLink, decryptOffered } from './choice.ts'
import { choicePage, confirmPage, connectedPage, expiredLinkPage, platformsPage } from './connect-pages.ts'
import { showConnections } from './connections-page.ts'
import type { ConnectLink, StoredLink } from './oauth-state.ts'
import { offeredPlatforms } from './platform-menu.ts'
import { readTicket } from './read-ticket.ts'
import { redirectToPlatform } from './redirect-to-platform.ts'
import { brandOf, expiredPage, noAccessPage, otherSessionPage, requestOf, workspaceOf } from './store-connections.ts'

const askWhich = async (ctx: Context, ticket: string, choice: Choice, missing: boolean): Promise<Page> => {
  if (choice.outcome !== undefined) return connectedPage(ctx, choice.workspaceId, choice.outcome, choice.returnUrl)
  const workspace = await workspaceOf(ctx, choice)
  if (workspace === undefined) return noAccessPage(ctx, choice)
  const offered = await decryptOffered(ctx, workspace, choice)
  if (offered === undefined) return expiredPage(ctx)
  const wrong = missing ? 'Select at least one.' : undefined
  return choicePage(
    'connect-accounts',
    choice,
    { brand: await brandOf(ctx, workspace), connections: offered },
    { ticket, wrong },
  )
}

const noticesOf = (ctx: Context, ...platforms: readonly PlatformId[]): string[] =>
  platforms.flatMap((platform) => closingNotice(ctx, definitionOf(platform)) ?? [])

const showMenu = async (
  ctx: Context,
  menu: StoredLink,
  ticket: string,
  shown: { visitor?: Visitor | undefined; refusal?: Refusal },
): Promise<Page> => {
  const [request, platforms] = await Promise.all([requestOf(ctx, menu), offeredPlatforms(ctx, menu)])
  if (request === undefined) return noAccessPage(ctx, menu)
  return platformsPage(menu, request, { ticket, platforms }, { ...shown, notices: noticesOf(ctx, ...platforms) })
}

interface Opened {
  visitor: Visitor | undefined
  /** The browser that connects an account (cookie.ts). */
  browser: string | undefined
}

/**
 * The page of a link for one platform: the question whether to connect. The session that began in the console skips it. Every
 * other one is refused, so that a link connects no account of a stranger.
 */
const showLink = async (
  ctx: Context,
  ticket: string,
  link: ConnectLink,
  { visitor, browser }: Opened,
): Promise<Page> => {
  const { platform, sessionId } = link
  if (sessionId !== undefined && sessionId !== visitor?.session.id) return otherSessionPage(ctx)
  if (sessionId !== undefined && isBrowserPlatform(platform) && definitionOf(platform).server === undefined)
    return redirectToPlatform(ctx, ticket, { ...link, platform }, { form: {}, browser })
  const request = await requestOf(ctx, link)
  if (request === undefined) return noAccessPage(ctx, link)
  return confirmPage(link, request, ticket, { visitor, notices: noticesOf(ctx, platform) })
}

/** The page of a ticket: the question whether to connect, the platforms to choose from, the accounts to select from, the connections of a customer, or the result. */
export const showConnectPage = async (
  ctx: Context,
  { ticket, missing, account }: z.infer<typeof ChoiceLink>,
  opened: Opened,
): Promise<Page> => {
  const { link, menu, connections, expired, used, choice } = await readTicket(ctx, ticket)
  if (expired !== undefined) return expiredLinkPage(ctx, expired)
  if (connections !== undefined) return showConnections(ctx, ticket, connections, { account })
  if (used?.outcome !== undefined) return connectedPage(ctx, used.workspaceId, used.outcome, used.returnUrl)
  if (choice !== undefined) return askWhich(ctx, ticket, choice, missing !== undefined)
  if (menu !== undefined) return showMenu(ctx, menu, ticket, { visitor: opened.visitor })
  return link === undefined ? expiredPage(ctx) : showLink(ctx, ticket, link, opened)
}

/** Shows the form of a link again after the login, or the choice of a platform, was refused. */
export const connectPageAgain = async (ctx: Context, sent: Sent, refusal: Refusal): Promise<Page> => {
  const { ticket = '' } = sent
  const { link, menu, connections } = await readTicket(ctx, ticket)
  if (connections !== undefined) return showConnections(ctx, ticket, connections, { refusal })
  if (menu !== undefined) return showMenu(ctx, menu, ticket, { refusal })
  if (link === undefined) return refusedPage(refusal.message)
  const request = await requestOf(ctx, link)
  if (request === undefined) return noAccessPage(ctx, link)
  return confirmPage(link, request, ticket, { sent, refusal, notices: noticesOf(ctx, link.platform) })
}
