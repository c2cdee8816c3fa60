import type { Context } from '../context.ts'
import { random62 } from '../ids.ts'
import { connectCookie } from '../pages/cookie.ts'
import type { Page } from '../pages/layout.ts'
import { withQuery } from '../pages/own-page.ts'
import { Redirect } from '../pages/send.ts'
import { type BrowserPlatform, goToPlatform } from './begin-connect.ts'
import { type Choice, noteOutcome, openOffered, takeChoice } from './choice.ts'
import { onwardPage } from './connect-pages.ts'
import { keepConnections, shut, stale, workspaceOf } from './keep-connections.ts'
import { type ConnectLink, useLink } from './oauth-state.ts'
import { readTicket } from './read-ticket.ts'

const toPage = (ticket: string, missing?: 'choice') => new Redirect(withQuery('/connect-accounts', { ticket, missing }))

const connectChosen = async (
  ctx: Context,
  ticket: string,
  choice: Choice | undefined,
  places: ReadonlySet<number>,
): Promise<Redirect> => {
  const workspace = choice && (await workspaceOf(ctx, choice))
  const offered = workspace && (await openOffered(ctx, workspace, choice))
  if (!offered) return toPage(ticket)
  const chosen = offered.filter((_, place) => places.has(place))
  if (chosen.length === 0) return toPage(ticket, 'choice')
  if (await takeChoice(ctx, ticket)) {
    await noteOutcome(ctx, ticket, await keepConnections(ctx, workspace, chosen, choice.userId))
  }
  return toPage(ticket)
}

const leadOn = async (
  ctx: Context,
  ticket: string,
  link: ConnectLink,
  browser: string = random62(43),
): Promise<Page> => {
  const workspace = await workspaceOf(ctx, link)
  if (workspace === undefined) return shut
  if (!(await useLink(ctx, ticket, browser))) return stale
  // Links are made for these platforms only.
  const of = { ...link, platform: link.platform as BrowserPlatform }
  return onwardPage(link.providerName, await goToPlatform(ctx, of, browser), connectCookie(ctx, browser))
}

/**
 * What the button of the page of a ticket does: it leads on to the platform, with a cookie by which this browser is known
 * when it comes back; or it keeps the accounts that were chosen by their places in the list.
 */
export const pressConnect = async (
  ctx: Context,
  ticket: string,
  places: ReadonlySet<number>,
  browser: string | undefined,
): Promise<Page | Redirect> => {
  const { link, choice } = await readTicket(ctx, ticket)
  return link === undefined ? connectChosen(ctx, ticket, choice, places) : leadOn(ctx, ticket, link, browser)
}
