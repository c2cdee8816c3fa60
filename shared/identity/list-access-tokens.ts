import type * as z from 'zod/mini'
import type { Context } from '../context.ts'
import { allOf, begins, equal } from '../db/expression.ts'
import { batchGet, queryAll } from '../db/table.ts'
import {
  type AccessToken,
  type AccessTokenView,
  accessTokens,
  isLiveToken,
  tokenUses,
  viewAccessToken,
} from './access-token.ts'

/** All tokens of a person, oldest first. */
export const listAccessTokens = async (ctx: Context, userId: string): Promise<AccessToken[]> => {
  const { PK, SK } = accessTokens.key({ userId, id: '' })
  const rows = await queryAll(ctx, { key: allOf(equal('PK', PK), begins('SK', SK)) })
  return accessTokens.readable(ctx, rows).sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1))
}

/** The tokens of a person that are valid now. */
export const activeAccessTokens = async (ctx: Context, userId: string): Promise<AccessToken[]> =>
  (await listAccessTokens(ctx, userId)).filter((token) => isLiveToken(token, ctx.clock.now()))

/** All tokens of a person as the API lists them, with their last use. */
export const showAccessTokens = async (ctx: Context, userId: string): Promise<z.infer<typeof AccessTokenView>[]> => {
  const tokens = await listAccessTokens(ctx, userId)
  const uses = await batchGet(ctx, tokens.map(tokenUses.key))
  return tokens.map((token) => viewAccessToken(token, tokenUses.from(uses, token)?.lastUsedAt ?? null))
}
