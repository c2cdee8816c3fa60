import type { AuditAction } from '../audit/actions.ts'
import type { Actor } from '../audit/actor.ts'
import { commit } from '../commit/commit.ts'
import type { Context } from '../context.ts'
import type { Key, Write } from '../db/table.ts'
import { type AccessToken, accessTokens, publicIdOf, tokenUses } from '../identity/access-token.ts'
import { listAccessTokens } from '../identity/list-access-tokens.ts'
import { asReadWithTokens } from './count-token.ts'
import { connectionKeys } from './find-connections.ts'
import { type Member, members, membershipKey } from './workspace.ts'

const tokensAtOnce = 90

/** A person's personal access tokens for a workspace. */
const tokensFor = async (ctx: Context, { userId, workspaceId }: Pick<Member, 'userId' | 'workspaceId'>) =>
  (await listAccessTokens(ctx, userId)).filter((token) => token.workspaceId === workspaceId)

const keysOf = (token: AccessToken): Key[] => [accessTokens.key(token), tokenUses.key(token)]

/** The rows of a person's personal access tokens and connections for a workspace. */
export const tokensOf = async (ctx: Context, member: Pick<Member, 'userId' | 'workspaceId'>): Promise<Key[]> => {
  const [tokens, connections] = await Promise.all([tokensFor(ctx, member), connectionKeys(ctx, member)])
  return [...tokens.flatMap(keysOf), ...connections]
}

const remove = (key: Key): Write => ({ delete: key })

/**
 * Removes a person from a workspace, with their tokens and connections for it. Decided: they are removed, so that none
 * becomes valid again when the person is invited again. Tokens that do not fit into the transaction are removed after it;
 * they give no access without the membership.
 */
export const endMembership = async (
  ctx: Context,
  member: Member,
  action: AuditAction,
  { by, checks = [] }: { by: Actor; checks?: readonly Write[] | undefined },
): Promise<void> => {
  const { userId, workspaceId, role, status } = member
  const [removed, connections] = await Promise.all([tokensFor(ctx, member), connectionKeys(ctx, member)])
  const tokens = [...removed.flatMap(keysOf), ...connections].map(remove)
  const before = { role, status, tokens: removed.map(({ id }) => publicIdOf(userId, id)) }
  const workspace = { id: workspaceId }
  await commit(ctx, workspace, {
    writes: [
      { delete: members.key(member), when: asReadWithTokens(member) },
      { delete: membershipKey(userId, workspaceId) },
      ...checks,
      ...tokens.slice(0, tokensAtOnce),
    ],
    audit: { by, action, target: { type: 'member', id: userId }, before },
  })
  for (let from = tokensAtOnce; from < tokens.length; from += tokensAtOnce) {
    await commit(ctx, workspace, { writes: tokens.slice(from, from + tokensAtOnce) })
  }
}
