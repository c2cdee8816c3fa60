import type { Actor } from '../audit/actor.ts'
import type { Context } from '../context.ts'
import { createAccessToken } from '../identity/create-access-token.ts'
import { assertTokenQuota } from '../identity/token-quota.ts'
import type { Page } from '../pages/layout.ts'
import { assertPlace } from '../workspaces/assert-membership.ts'
import { type TokenForm, tokenRights } from './input.ts'
import { newTokenPage } from './new-token-page.ts'

/** Creates a token and shows it, once. */
export const submitToken = async (
  ctx: Context,
  { id: workspaceId, name, rights }: TokenForm,
  userId: string,
  actor: Actor,
): Promise<Page> => {
  await assertTokenQuota(ctx, userId)
  await assertPlace(ctx, userId, workspaceId)
  const scopes = [...tokenRights[rights].scopes]
  const { token } = await createAccessToken(ctx, userId, { name, workspaceId, scopes }, actor)
  return newTokenPage(ctx, workspaceId, token)
}
