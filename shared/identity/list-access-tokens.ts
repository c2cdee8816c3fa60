import type { Context } from '../context.ts'
import { all, begins, equal } from '../db/expression.ts'
import { queryAll } from '../db/table.ts'
import { type AccessToken, accessTokens } from './access-token.ts'

/** All tokens of a person, oldest first. */
export const listAccessTokens = async (ctx: Context, userId: string): Promise<AccessToken[]> => {
  const { PK, SK } = accessTokens.key({ userId, id: '' })
  const rows = await queryAll(ctx, { key: all(equal('PK', PK), begins('SK', SK)) })
  return rows.map(accessTokens.parse).sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1))
}
