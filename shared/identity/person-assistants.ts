import type { Actor } from '../audit/actor.ts'
import type { Context } from '../context.ts'
import { inLine } from './notice-emails.ts'

/** The assistants that act for a person, in all workspaces (shared/oauth, a floor above). */
export interface PersonAssistants {
  list(ctx: Context, userId: string): Promise<{ assistant: string; workspace: string }[]>
  /** Ends their connections with all tokens. */
  end(ctx: Context, userId: string, by: Actor): Promise<void>
}

const maxNamed = 20

/** Names in an email, one per line. */
export const linesOf = (names: readonly string[]): string => {
  const more = names.length - maxNamed
  return [...names.slice(0, maxNamed), ...(more > 0 ? [`and ${more} more`] : [])].join('\n')
}

/** The assistants of a person in an email. */
export const assistantsInEmail = async (
  ctx: Context,
  userId: string,
  { list }: Pick<PersonAssistants, 'list'>,
): Promise<string> =>
  linesOf((await list(ctx, userId)).map(({ assistant, workspace }) => `${inLine(assistant)} in ${inLine(workspace)}`))
