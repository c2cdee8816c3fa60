import type { Context } from '../context.ts'
import { equal } from '../db/expression.ts'
import { update } from '../db/table.ts'
import { choiceKeyOf } from './choice.ts'
import { linkKeyOf } from './oauth-state.ts'

const rows = {
  AccountChoice: choiceKeyOf,
  ConnectLink: linkKeyOf,
}

/** Stores the outcome of a ticket, in sentences, for its page, which shows it until the ticket expires. */
export const noteOutcome = async (
  ctx: Context,
  type: keyof typeof rows,
  ticket: string,
  outcome: readonly string[],
  returnUrl: string | undefined,
): Promise<void> => {
  const set = { outcome: [...outcome], ...(returnUrl === undefined ? {} : { returnUrl }) }
  await update(ctx, rows[type](ticket), { set }, equal('type', type))
}
