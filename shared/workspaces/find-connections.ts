import type { Context } from '../context.ts'
import { allOf, begins, equal } from '../db/expression.ts'
import { type Key, queryAll } from '../db/table.ts'
import { tokenUses } from '../identity/token-use.ts'
import { type AssistantConnection, assistantConnections } from './assistant-connection.ts'
import type { Member } from './member.ts'

/** The connections of one person in a workspace, or of all its members; also those that are not redeemed yet. */
export const findConnections = async (
  ctx: Context,
  workspaceId: string,
  userId?: string,
): Promise<AssistantConnection[]> => {
  const { PK, SK } = assistantConnections.key({ workspaceId, userId: userId ?? '', id: '' })
  // Without a person, the key has an empty id between two signs.
  const prefix = userId === undefined ? SK.slice(0, -1) : SK
  const rows = await queryAll(ctx, { key: allOf(equal('PK', PK), begins('SK', prefix)) })
  return rows.map(assistantConnections.parse)
}

/** The rows of a person's connections for a workspace: nothing of them works when the person is invited again. */
export const connectionKeys = async (
  ctx: Context,
  { workspaceId, userId }: Pick<Member, 'workspaceId' | 'userId'>,
): Promise<Key[]> =>
  (await findConnections(ctx, workspaceId, userId)).flatMap((one) => [
    assistantConnections.key(one),
    tokenUses.key(one),
  ])
