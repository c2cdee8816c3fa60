import type { Actor } from '../audit/actor.ts'
import type { Context } from '../context.ts'
import type { BatchRows, Key } from '../db/table.ts'
import { Refusal } from '../errors/refusal.ts'
import { assistantConnections, type ConnectionKey } from '../workspaces/assistant-connection.ts'
import { asRead } from '../workspaces/team-rights.ts'
import { type Member, members } from '../workspaces/workspace.ts'
import { isListed, managesAll } from './connection-view.ts'
import { revokeConnection } from './revoke.ts'

/** The row that a public id names (connectionIdOf): the ids of the person and of the connection, of 12 and 8 characters. */
const rowOf = (workspaceId: string, publicId: string): ConnectionKey | undefined => {
  const [, userId, id] = /^([0-9A-Za-z]{12})([0-9A-Za-z]{8})$/.exec(publicId) ?? []
  return userId === undefined || id === undefined ? undefined : { workspaceId, userId, id }
}

/** The row of the connection in the path, read together with the authorization. */
export const endedKeys = (of: { workspaceId: string; params: { connectionId: string } }): Key[] => {
  const row = rowOf(of.workspaceId, of.params.connectionId)
  return row === undefined ? [] : [assistantConnections.key(row)]
}

const changedMeanwhile = () =>
  new Refusal('conflict', 'The connection changed during the request. List the connections again, then retry.', {
    code: 'concurrent_update',
  })

/** Ends a connection that a member may end. Decided: for a member, connections of other people do not exist. */
export const endConnection = async (
  ctx: Context,
  actor: Member,
  { rows, publicId }: { rows: BatchRows; publicId: string },
  by: Actor,
): Promise<void> => {
  const row = rowOf(actor.workspaceId, publicId)
  const connection = row && assistantConnections.from(rows, row)
  const isTheirs = connection?.userId === actor.userId || managesAll(actor)
  if (connection === undefined || !isTheirs || !isListed(connection, ctx.clock.now())) {
    throw new Refusal('missing', `This workspace has no connection ${publicId} that you can revoke.`, {
      code: 'connection_not_found',
      field: 'connectionId',
    })
  }
  const check = { check: members.key(actor), when: asRead(actor) }
  if (!(await revokeConnection(ctx, connection, by, [check]))) throw changedMeanwhile()
}
