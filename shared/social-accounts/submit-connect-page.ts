import type { Context } from '../context.ts'
import { random62 } from '../ids.ts'
import { connectCookie } from '../pages/cookie.ts'
import type { Page } from '../pages/layout.ts'
import { withQuery } from '../pages/own-page.ts'
import { Redirect } from '../pages/send.ts'
import { authorizationUrlFor, type BrowserPlatform } from './authorization-link.ts'
import { type Choice, consumeChoice, decryptOffered, noteOutcome } from './choice.ts'
import { onwardPage } from './connect-pages.ts'
import { type ConnectLink, claimLink } from './oauth-state.ts'
import { readTicket } from './read-ticket.ts'
import { expiredPage, noAccessPage, storeConnections, workspaceOf } from './store-connections.ts'

const toPage = (ticket: string, missing?: 'choice') => new Redirect(withQuery('/connect-accounts', { ticket, missing }))

const connectChosen = async (
  ctx: Context,
  ticket: string,
  choice: Choice | undefined,
  places: ReadonlySet<number>,
): Promise<Redirect> => {
  const workspace = choice && (await workspaceOf(ctx, choice))
  const offered = workspace && (await decryptOffered(ctx, workspace, choice))
  if (!offered) return toPage(ticket)
  const chosen = offered.filter((_, place) => places.has(place))
  if (chosen.length === 0) return toPage(ticket, 'choice')
  if (await consumeChoice(ctx, ticket)) {
    await noteOutcome(ctx, ticket, await storeConnections(ctx, workspace, chosen, choice.userId))
  }
  return toPage(ticket)
}

const redirectToPlatform = async (
  ctx: Context,
  ticket: string,
  link: ConnectLink,
  browser: string = random62(43),
): Promise<Page> => {
  const workspace = await workspaceOf(ctx, link)
  if (workspace === undefined) return noAccessPage
  if (!(await claimLink(ctx, ticket, browser))) return expiredPage
  // Links are created for these platforms only.
  const of = { ...link, platform: link.platform as BrowserPlatform }
  return onwardPage(link.providerName, await authorizationUrlFor(ctx, of, browser), connectCookie(ctx, browser))
}

/**
 * Handles the button of a ticket's page: leads to the platform, with a cookie that identifies this browser when it
 * returns; or stores the accounts that were selected by their positions in the list.
 */
export const submitConnectPage = async (
  ctx: Context,
  ticket: string,
  places: ReadonlySet<number>,
  browser: string | undefined,
): Promise<Page | Redirect> => {
  const { link, choice } = await readTicket(ctx, ticket)
  return link === undefined
    ? connectChosen(ctx, ticket, choice, places)
    : redirectToPlatform(ctx, ticket, link, browser)
}
