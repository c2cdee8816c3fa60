import type { Context } from '../context.ts'
import type { Page } from '../pages/layout.ts'
import { withQuery } from '../pages/own-page.ts'
import { Redirect } from '../pages/send.ts'
import { noteOutcome, openOffered, readChoice, takeChoice } from './choice.ts'
import { choicePage, connectedPage } from './connect-pages.ts'
import { keepConnections, shut, stale, workspaceOf } from './keep-connections.ts'

const toPage = (ticket: string, missing?: 'choice') => new Redirect(withQuery('/connect-accounts', { ticket, missing }))

/** Keeps the accounts that a person has chosen by their places in the list; a page says what came of it. */
export const connectChosen = async (ctx: Context, ticket: string, places: ReadonlySet<number>): Promise<Redirect> => {
  const choice = await readChoice(ctx, ticket)
  const workspace = choice && (await workspaceOf(ctx, choice))
  const offered = workspace && (await openOffered(ctx, workspace, choice))
  if (!offered) return toPage(ticket)
  const chosen = offered.filter((_, place) => places.has(place))
  if (chosen.length === 0) return toPage(ticket, 'choice')
  if (await takeChoice(ctx, ticket))
    await noteOutcome(ctx, ticket, await keepConnections(ctx, workspace, chosen, choice.userId))
  return toPage(ticket)
}

/** The page of a ticket: the accounts to choose from, or what came of the choice. */
export const showChoice = async (ctx: Context, ticket: string, missing: boolean): Promise<Page> => {
  const choice = await readChoice(ctx, ticket)
  if (choice === undefined) return stale
  if (choice.outcome !== undefined) return connectedPage(choice.outcome)
  const workspace = await workspaceOf(ctx, choice)
  if (workspace === undefined) return shut
  const offered = await openOffered(ctx, workspace, choice)
  if (offered === undefined) return stale
  return choicePage('connect-accounts', offered, ticket, missing ? 'Choose at least one.' : undefined)
}
