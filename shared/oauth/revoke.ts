import { type Actor, systemActor } from '../audit/actor.ts'
import { commit } from '../commit/commit.ts'
import type { Context } from '../context.ts'
import { wasCurrent } from '../db/condition-failed.ts'
import { present } from '../db/expression.ts'
import type { Write } from '../db/table.ts'
import { logSecurity } from '../security-log.ts'
import {
  type AssistantConnection,
  assistantConnections,
  auditedConnection,
  connectionIdOf,
} from '../workspaces/assistant-connection.ts'
import { readConnectionToken } from './token.ts'

/** Ends a connection with all its tokens, from the next call on; false if it had ended, or a condition did not hold. */
export const revokeConnection = async (
  ctx: Context,
  connection: AssistantConnection,
  by: Actor,
  checks: readonly Write[] = [],
): Promise<boolean> => {
  const { workspaceId } = connection
  const id = connectionIdOf(connection)
  const audit = {
    by,
    action: 'connection.revoked',
    target: { type: 'connection', id },
    before: auditedConnection(connection),
  } as const
  const gone = { delete: assistantConnections.key(connection), when: present('PK') }
  const isRevoked = await wasCurrent(commit(ctx, { id: workspaceId }, { writes: [gone, ...checks], audit }))
  if (isRevoked) logSecurity(ctx, 'assistant_revoked', { workspaceId, targetConnectionId: id })
  return isRevoked
}

/** Ends a connection when one of its codes or tokens is used twice: someone else may have it (RFC 9700, 4.14.2). */
export const revokeReused = (ctx: Context, connection: AssistantConnection): Promise<boolean> =>
  revokeConnection(ctx, connection, { ...systemActor('token-reuse'), userId: connection.userId })

/** Ends the connection of a token that its client revokes (RFC 7009, 2.1). An unknown token is not an error. */
export const revokeToken = async (ctx: Context, clientId: string | undefined, token: string): Promise<void> => {
  const parts = (await readConnectionToken(ctx, 'ort', token)) ?? (await readConnectionToken(ctx, 'oat', token))
  const connection = parts && (await assistantConnections.get(ctx, parts))
  if (parts === undefined || connection === undefined || connection.clientId !== clientId) return
  if (![...connection.refresh, ...connection.access].some(({ hash }) => hash === parts.hash)) return
  await revokeConnection(ctx, connection, { ...systemActor('client'), userId: connection.userId })
}
