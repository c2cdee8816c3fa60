import type { Actor } from '../audit/actor.ts'
import type { Context } from '../context.ts'
import { type AccessToken, publicIdOf } from './access-token.ts'
import { inLine, tokenInEmail } from './notice-emails.ts'

/** The assistants that act for a person, in all workspaces (shared/oauth, a floor above). */
export interface PersonAssistants {
  list(ctx: Context, userId: string): Promise<{ assistant: string; workspace: string }[]>
  /** Ends their connections with all tokens. */
  end(ctx: Context, userId: string, by: Actor): Promise<void>
  /** The valid tokens of the applications in the workspaces that the person owns. */
  applicationTokens(ctx: Context, userId: string): Promise<AccessToken[]>
}

const maxNamed = 20

/** Names in an email, one per line. */
const linesOf = (names: readonly string[]): string => {
  const more = names.length - maxNamed
  return [...names.slice(0, maxNamed), ...(more > 0 ? [`and ${more} more`] : [])].join('\n')
}

/** Tokens by their prefixes and names, one per line. */
export const tokensInEmail = (tokens: readonly AccessToken[], kind?: 'app'): string =>
  linesOf(tokens.map(({ userId, id, name }) => tokenInEmail(publicIdOf(userId, id), name, kind)))

/** What can still act after a new password, as an email lists it: assistants, and tokens of applications. */
export const stillActive = async (
  ctx: Context,
  userId: string,
  { list, applicationTokens }: Pick<PersonAssistants, 'list' | 'applicationTokens'>,
): Promise<{ assistants: string; applicationTokens: string }> => {
  const [assistants, tokens] = await Promise.all([list(ctx, userId), applicationTokens(ctx, userId)])
  return {
    assistants: linesOf(assistants.map(({ assistant, workspace }) => `${inLine(assistant)} in ${inLine(workspace)}`)),
    applicationTokens: tokensInEmail(tokens, 'app'),
  }
}
