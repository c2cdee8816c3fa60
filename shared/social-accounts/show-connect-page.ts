import type { Context } from '../context.ts'
import type { Page } from '../pages/layout.ts'
import type { Visitor } from '../pages/visitor.ts'
import { type Choice, decryptOffered } from './choice.ts'
import { choicePage, confirmPage, connectedPage } from './connect-pages.ts'
import { readTicket } from './read-ticket.ts'
import { expiredPage, noAccessPage, workspaceOf } from './store-connections.ts'

const askWhich = async (ctx: Context, ticket: string, choice: Choice, missing: boolean): Promise<Page> => {
  if (choice.outcome !== undefined) return connectedPage(choice.outcome)
  const workspace = await workspaceOf(ctx, choice)
  if (workspace === undefined) return noAccessPage
  const offered = await decryptOffered(ctx, workspace, choice)
  if (offered === undefined) return expiredPage
  return choicePage('connect-accounts', workspace, offered, ticket, missing ? 'Select at least one.' : undefined)
}

/** The page of a ticket: the question whether to connect, the accounts to select from, or the result. */
export const showConnectPage = async (
  ctx: Context,
  ticket: string,
  missing: boolean,
  visitor: Visitor | undefined,
): Promise<Page> => {
  const { link, choice } = await readTicket(ctx, ticket)
  if (choice !== undefined) return askWhich(ctx, ticket, choice, missing)
  const workspace = link && (await workspaceOf(ctx, link))
  if (link === undefined) return expiredPage
  return workspace === undefined ? noAccessPage : confirmPage(link, workspace, ticket, visitor)
}
