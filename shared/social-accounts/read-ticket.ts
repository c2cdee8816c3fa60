import type { Context } from '../context.ts'
import { batchGet } from '../db/table.ts'
import { type Choice, choiceKeyOf, validChoiceIn } from './choice.ts'
import { type ConnectLink, linkKeyOf, validLinkIn } from './oauth-state.ts'

/** The content of a ticket: a link to connect an account, or the accounts of a login to select from. */
export const readTicket = async (ctx: Context, ticket: string): Promise<{ link?: ConnectLink; choice?: Choice }> => {
  const [linkKey, choiceKey] = [linkKeyOf(ticket), choiceKeyOf(ticket)]
  const found = await batchGet(ctx, [linkKey, choiceKey])
  const [link, choice] = [validLinkIn(ctx, found.item(linkKey)), validChoiceIn(ctx, found.item(choiceKey))]
  return { ...(link && { link }), ...(choice && { choice }) }
}
