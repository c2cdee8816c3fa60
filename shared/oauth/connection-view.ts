import * as z from 'zod/mini'
import type { Context } from '../context.ts'
import { batchGet } from '../db/table.ts'
import { described } from '../http/described.ts'
import { timestamp } from '../http/moment.ts'
import { cutPage } from '../http/page.ts'
import { tokenUses } from '../identity/access-token.ts'
import { users } from '../identity/user.ts'
import { type AssistantConnection, connectionIdOf, Safety } from '../workspaces/assistant-connection.ts'
import { findConnections } from '../workspaces/find-connections.ts'
import type { Member } from '../workspaces/workspace.ts'
import { hostOfClient } from './client.ts'

/** A connection as shown to its person, owners, and admins: without its tokens. */
export const ConnectionView = z
  .object({
    id: described(z.string(), 'The ID of the connection.'),
    userId: described(z.string(), 'The ID of the person that the assistant acts for.'),
    userName: described(z.nullable(z.string()), 'The name of the person; null if their account was deleted.'),
    clientId: described(z.string(), 'The client ID of the assistant.'),
    clientName: described(z.string(), 'The name that the assistant gave itself. It is not verified.'),
    clientHost: described(
      z.nullable(z.string()),
      'The host of the metadata document of the assistant; null if the assistant registered itself.',
    ),
    scopes: described(z.array(z.string()), 'What the person allowed.'),
    safety: described(Safety, 'What limits the assistant beyond its scopes.'),
    createdAt: timestamp('When the person allowed it, in UTC.'),
    lastUsedAt: described(z.nullable(timestamp()), 'When it was last used, to the day; null if it never was.'),
    expiresAt: timestamp('When it ends unless the assistant uses its refresh token before, in UTC.'),
  })
  .register(z.globalRegistry, {
    id: 'AssistantConnection',
    description: 'The permission for an assistant to act for a person in a workspace.',
  })
export type ConnectionView = z.infer<typeof ConnectionView>

/** Owners and admins see and end the connections of everyone, other members their own. */
export const managesAll = ({ role }: Member): boolean => role !== 'member'

/** Whether the code was exchanged, and a refresh token lives. */
export const isListed = ({ redeemedAtMs, expiresAtMs }: AssistantConnection, nowMs: number): boolean =>
  redeemedAtMs !== undefined && expiresAtMs > nowMs

const viewConnections = async (
  ctx: Context,
  connections: readonly AssistantConnection[],
): Promise<ConnectionView[]> => {
  const rows = await batchGet(ctx, [
    ...new Map(connections.map(({ userId }) => [userId, users.key({ id: userId })])).values(),
    ...connections.map(tokenUses.key),
  ])
  return connections.map((connection) => {
    const { userId, clientId, clientName, scopes, safety, createdAt, expiresAtMs } = connection
    return {
      id: connectionIdOf(connection),
      userId,
      clientId,
      clientName,
      scopes,
      safety,
      createdAt,
      userName: users.from(rows, { id: userId })?.name ?? null,
      clientHost: hostOfClient(clientId) ?? null,
      lastUsedAt: tokenUses.from(rows, connection)?.lastUsedAt ?? null,
      expiresAt: new Date(expiresAtMs).toISOString(),
    }
  })
}

/** A page of the connections that a member may see, newest first, with the exact total. */
export const listConnections = async (ctx: Context, member: Member, range: { limit: number; offset: number }) => {
  const { workspaceId, userId } = member
  const rows = await findConnections(ctx, workspaceId, managesAll(member) ? undefined : userId)
  const nowMs = ctx.clock.now()
  const sortKey = ({ createdAt, id }: AssistantConnection) => `${createdAt} ${id}`
  const listed = rows
    .filter((connection) => isListed(connection, nowMs))
    .sort((a, b) => (sortKey(a) < sortKey(b) ? 1 : -1))
  const page = cutPage(listed, range)
  return { ...page, items: await viewConnections(ctx, page.items) }
}
