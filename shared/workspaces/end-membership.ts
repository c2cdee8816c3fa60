import type { Context } from '../context.ts'
import { type Key, transact, type Write } from '../db/table.ts'
import { accessTokens } from '../identity/access-token.ts'
import { listAccessTokens } from '../identity/list-access-tokens.ts'
import { tokenUses } from '../identity/token-use.ts'
import { type Member, members, membershipKey } from './member.ts'
import { asRead } from './team-rights.ts'

const tokensAtOnce = 90

/** The rows of a person's personal access tokens for a workspace. */
export const tokensOf = async (ctx: Context, { userId, workspaceId }: Pick<Member, 'userId' | 'workspaceId'>) =>
  (await listAccessTokens(ctx, userId))
    .filter((token) => token.workspaceId === workspaceId)
    .flatMap((token) => [accessTokens.key(token), tokenUses.key(token)])

const remove = (key: Key): Write => ({ delete: key })

/**
 * Removes a person from a workspace, with their tokens for it. Decided: the tokens are removed, so that none works
 * again when the person is invited again. Tokens that do not fit into the transaction are removed after it; they give
 * no access without the membership.
 */
export const endMembership = async (ctx: Context, member: Member, checks: readonly Write[] = []): Promise<void> => {
  const { userId, workspaceId } = member
  const tokens = (await tokensOf(ctx, member)).map(remove)
  await transact(ctx, () => [
    { delete: members.key(member), when: asRead(member) },
    { delete: membershipKey(userId, workspaceId) },
    ...checks,
    ...tokens.slice(0, tokensAtOnce),
  ])
  for (let from = tokensAtOnce; from < tokens.length; from += tokensAtOnce) {
    await transact(ctx, () => tokens.slice(from, from + tokensAtOnce))
  }
}
