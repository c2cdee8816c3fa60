import type { Context } from '../context.ts'
import { batchGet } from '../db/table.ts'
import { type Choice, choiceKeyOf, validChoiceIn } from './choice.ts'
import { type ConnectLink, isForPlatform, isValidLink, linkKeyOf, type StoredLink, storedLink } from './oauth-state.ts'

/** The target of a ticket. */
export interface Ticket {
  /** A link to connect an account. */
  link?: ConnectLink
  /** A link whose page asks for the platform. */
  menu?: StoredLink
  /** A link to the connections of a customer. */
  connections?: StoredLink
  /** A link that has expired. */
  expired?: StoredLink
  /** A link that has connected an account, or is about to. */
  used?: StoredLink
  /** The accounts of a login to select from. */
  choice?: Choice
}

/** The content of a ticket. */
export const readTicket = async (ctx: Context, ticket: string): Promise<Ticket> => {
  const [linkKey, choiceKey] = [linkKeyOf(ticket), choiceKeyOf(ticket)]
  const rows = await batchGet(ctx, [linkKey, choiceKey])
  const [link, choice] = [storedLink(rows.item(linkKey)), validChoiceIn(ctx, rows.item(choiceKey))]
  if (link?.usedAtMs !== undefined) return { used: link }
  if (link !== undefined && !isValidLink(ctx, link)) return { expired: link }
  if (link?.opens !== undefined) return link.opens === 'connections' ? { connections: link } : {}
  if (link !== undefined) return isForPlatform(link) ? { link } : { menu: link }
  return choice === undefined ? {} : { choice }
}
