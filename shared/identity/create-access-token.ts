import * as z from 'zod/mini'
import type { Context } from '../context.ts'
import { absent } from '../db/expression.ts'
import { isLost } from '../db/lost.ts'
import { batchGet, transact } from '../db/table.ts'
import { Refusal } from '../errors.ts'
import { scopes as knownScopes } from '../http/contract.ts'
import type { Once } from '../http/once.ts'
import { logSecurity } from '../security-log.ts'
import { members } from '../workspaces/member.ts'
import { workspaces } from '../workspaces/workspace.ts'
import { type AccessToken, AccessTokenView, accessTokens, viewAccessToken } from './access-token.ts'
import { Name } from './name.ts'
import { mintToken } from './token.ts'

const allScopes: readonly string[] = [...knownScopes, '*']

const ScopeName = z
  .string()
  .check(
    z.refine((name) => allScopes.includes(name), {
      error: ({ input }) => `names the unknown scope ${JSON.stringify(input)}: use ${allScopes.join(', ')}`,
    }),
  )
  .register(z.globalRegistry, { enum: [...allScopes] })

export const CreateAccessToken = z.strictObject({
  name: Name,
  workspaceId: z.string().check(z.maxLength(100)),
  scopes: z.optional(z.array(ScopeName).check(z.maxLength(50))),
  expiresInDays: z.optional(z.int().check(z.minimum(1), z.maximum(3650))),
})
export type CreateAccessToken = z.infer<typeof CreateAccessToken>

/** A new token with its plain text, which is shown once. */
export const NewAccessToken = z.extend(
  z.pick(AccessTokenView, { id: true, name: true, workspaceId: true, scopes: true, createdAt: true, expiresAt: true }),
  { token: z.string() },
)

// Decided: the small default set of the specification (Authentication 5).
const defaultScopes = ['workspace:read', 'posts:read']

const requireMembership = async (ctx: Context, userId: string, workspaceId: string) => {
  const found = await batchGet(ctx, [members.key({ workspaceId, userId }), workspaces.key({ id: workspaceId })])
  const member = members.from(found, { workspaceId, userId })
  // A deleted workspace is gone before the places in it are.
  const isThere = workspaces.from(found, { id: workspaceId }) !== undefined
  if (isThere && member?.status === 'active') return
  throw member === undefined || !isThere
    ? new Refusal('forbidden', 'You are not a member of this workspace.', { code: 'wrong_workspace' })
    : new Refusal('forbidden', 'You are suspended in this workspace: ask its owner.', { code: 'suspended' })
}

/** Creates a token for one of the person's workspaces. */
export const createAccessToken = async (
  ctx: Context,
  userId: string,
  { name, workspaceId, scopes = [], expiresInDays }: CreateAccessToken,
  once: Once,
): Promise<z.infer<typeof NewAccessToken>> => {
  await requireMembership(ctx, userId, workspaceId)
  const nowMs = ctx.clock.now()
  const { token, tokenId, secretHash } = await mintToken(ctx, 'pat', userId)
  const row: AccessToken = {
    id: tokenId,
    userId,
    workspaceId,
    name,
    scopes: scopes.length > 0 ? [...new Set(scopes)] : defaultScopes,
    secretHash,
    createdAt: new Date(nowMs).toISOString(),
    expiresAt: expiresInDays === undefined ? null : new Date(nowMs + expiresInDays * 86_400_000).toISOString(),
    revokedAt: null,
  }
  const shown = { ...viewAccessToken(row, null), token }
  try {
    await transact(ctx, () => [{ put: accessTokens.item(row), when: absent('PK') }, ...once(shown, shown.id)])
  } catch (error) {
    // The id of four characters is taken by another token of this person, about once in ten million.
    if (isLost(error)) {
      throw new Refusal('conflict', 'The new token met the id of another one: try again.', { code: 'id_taken' })
    }
    throw error
  }
  logSecurity(ctx, 'authn_token_created', {
    userId,
    targetTokenId: tokenId,
    workspaceId,
    scopes: row.scopes.join(' '),
    expiresAt: row.expiresAt ?? 'never',
  })
  return shown
}
