import type { Context } from '../context.ts'
import { batchGet } from '../db/table.ts'
import { type Choice, choiceKeyOf, validChoiceIn } from './choice.ts'
import { type ConnectLink, isValidLink, linkKeyOf, storedLink } from './oauth-state.ts'

/** What a ticket leads to. */
export interface Ticket {
  /** A link to connect an account. */
  link?: ConnectLink
  /** A link that has expired. */
  expired?: ConnectLink
  /** A link that has connected an account, or is about to. */
  used?: ConnectLink
  /** The accounts of a login to select from. */
  choice?: Choice
}

/** The content of a ticket. */
export const readTicket = async (ctx: Context, ticket: string): Promise<Ticket> => {
  const [linkKey, choiceKey] = [linkKeyOf(ticket), choiceKeyOf(ticket)]
  const rows = await batchGet(ctx, [linkKey, choiceKey])
  const [link, choice] = [storedLink(rows.item(linkKey)), validChoiceIn(ctx, rows.item(choiceKey))]
  if (link?.usedAtMs !== undefined) return { used: link }
  if (link !== undefined) return isValidLink(ctx, link) ? { link } : { expired: link }
  return choice === undefined ? {} : { choice }
}
