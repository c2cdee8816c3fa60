import type { Actor } from '../audit/actor.ts'
import type { Context } from '../context.ts'
import { Refusal } from '../errors/refusal.ts'
import type { Sent } from '../pages/form.ts'
import type { Page } from '../pages/layout.ts'
import { accountsOf, connectionsPage, type OfCustomer } from './connections-page.ts'
import { disconnectAccount } from './disconnect.ts'
import { linkIdOf, type StoredLink } from './oauth-state.ts'
import { linkFrom } from './platform-menu.ts'
import { noAccessPage, workspaceOf } from './store-connections.ts'

/** Who ends a connection by a link, given the ID of the link, and what only posts know. */
export interface EndingByCustomer {
  customer: (linkId: string) => Actor
  countScheduledPosts: (workspaceId: string, socialAccountId: string) => Promise<number>
}

const notConnected = () =>
  new Refusal('missing', 'This account is not connected.', { code: 'account_not_found', field: 'account' })

const endConnection = async (
  ctx: Context,
  of: OfCustomer,
  { id, customer, countScheduledPosts }: EndingByCustomer & { id: string },
): Promise<Page> => {
  const { ticket, link, workspace } = of
  const { integratorId: owner } = link
  if (owner === undefined) throw notConnected()
  const ended = { id, owner, countScheduledPosts: () => countScheduledPosts(workspace.id, id) }
  const { message } = await disconnectAccount(ctx, workspace, ended, customer(linkIdOf(ticket))).catch((error) => {
    // It was ended before, perhaps by the same form. The page says the same about an account of someone else.
    throw error instanceof Refusal && error.reason === 'missing' ? notConnected() : error
  })
  return connectionsPage(ctx, of, { notice: message })
}

/** Ends a connection of the customer, or returns the ticket of a link that connects it again. */
export const changeConnection = async (
  ctx: Context,
  ticket: string,
  link: StoredLink,
  { form, ...ending }: EndingByCustomer & { form: Sent },
): Promise<Page | string> => {
  const workspace = await workspaceOf(ctx, link)
  if (workspace === undefined) return noAccessPage(ctx, link)
  const { act, account: id = '' } = form
  if (act === 'disconnect') return endConnection(ctx, { ticket, link, workspace }, { ...ending, id })
  const account = (await accountsOf(ctx, link)).find((candidate) => candidate.id === id)
  if (account === undefined) throw notConnected()
  const next = await linkFrom(ctx, ticket, link, account.platform)
  if (next !== undefined) return next
  const text = 'Accounts were connected too often with this link. Ask for another link.'
  throw new Refusal('invalid', text, { code: 'connect_link_expired' })
}
