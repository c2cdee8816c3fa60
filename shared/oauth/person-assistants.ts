import type { Actor } from '../audit/actor.ts'
import type { Context } from '../context.ts'
import { batchGet } from '../db/table.ts'
import { activeAccessTokens } from '../identity/list-access-tokens.ts'
import type { PersonAssistants } from '../identity/person-assistants.ts'
import { applications } from '../workspaces/application-row.ts'
import { findConnections } from '../workspaces/find-connections.ts'
import { workspaceIdsOf } from '../workspaces/list.ts'
import { members, workspaces } from '../workspaces/workspace.ts'
import { isListed } from './connection-view.ts'
import { revokeConnection } from './revoke.ts'

/** The connections of a person in all their workspaces; also those that are not redeemed yet. */
const connectionsOf = async (ctx: Context, userId: string) => {
  const ids = await workspaceIdsOf(ctx, userId)
  return (await Promise.all(ids.map((id) => findConnections(ctx, id, userId)))).flat()
}

export const personAssistants: PersonAssistants = {
  async list(ctx: Context, userId: string) {
    const nowMs = ctx.clock.now()
    const connections = (await connectionsOf(ctx, userId)).filter((connection) => isListed(connection, nowMs))
    const ids = [...new Set(connections.map(({ workspaceId }) => workspaceId))]
    const rows = await batchGet(
      ctx,
      ids.map((id) => workspaces.key({ id })),
    )
    return connections.map(({ clientName, workspaceId: id }) => ({
      assistant: clientName,
      workspace: workspaces.from(rows, { id })?.name ?? id,
    }))
  },
  async end(ctx: Context, userId: string, by: Actor) {
    const connections = await connectionsOf(ctx, userId)
    await Promise.all(connections.map((connection) => revokeConnection(ctx, connection, by)))
  },
  async applicationTokens(ctx: Context, userId: string) {
    const ids = await workspaceIdsOf(ctx, userId)
    const keys = ids.flatMap((workspaceId) => [members.key({ workspaceId, userId }), applications.key({ workspaceId })])
    const rows = await batchGet(ctx, keys)
    const owned = ids.filter((workspaceId) => members.from(rows, { workspaceId, userId })?.role === 'owner')
    const own = owned.flatMap((workspaceId) => applications.from(rows, { workspaceId }) ?? [])
    return (await Promise.all(own.map(({ id }) => activeAccessTokens(ctx, id)))).flat()
  },
}
