import type { Context } from '../context.ts'
import { allOf, begins, equal } from '../db/expression.ts'
import { type Item, type Key, keyOf, queryAll } from '../db/table.ts'
import { tokenUses } from '../identity/access-token.ts'
import { type AssistantConnection, assistantConnections } from './assistant-connection.ts'
import type { Member } from './workspace.ts'

const connectionItems = (ctx: Context, workspaceId: string, userId?: string): Promise<Item[]> => {
  const { PK, SK } = assistantConnections.key({ workspaceId, userId: userId ?? '', id: '' })
  // Without a person, the key has an empty id between two signs.
  const prefix = userId === undefined ? SK.slice(0, -1) : SK
  return queryAll(ctx, { key: allOf(equal('PK', PK), begins('SK', prefix)) })
}

/** The connections of one person in a workspace, or of all its members; also those that are not redeemed yet. */
export const findConnections = async (
  ctx: Context,
  workspaceId: string,
  userId?: string,
): Promise<AssistantConnection[]> => assistantConnections.readable(ctx, await connectionItems(ctx, workspaceId, userId))

/** The rows of a person's connections for a workspace, so that none becomes valid again when the person is invited again. */
export const connectionKeys = async (
  ctx: Context,
  { workspaceId, userId }: Pick<Member, 'workspaceId' | 'userId'>,
): Promise<Key[]> =>
  // Those of a newer release end too.
  (await connectionItems(ctx, workspaceId, userId)).flatMap((item) => [
    keyOf(item),
    tokenUses.key({ userId, id: String(item['id']) }),
  ])
