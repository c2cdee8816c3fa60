import { countPerson } from '../access/rate-limit.ts'
import type { Context } from '../context.ts'
import { batchGet } from '../db/table.ts'
import { recordUse, tokenUses } from '../identity/access-token.ts'
import type { Scope } from '../identity/scope.ts'
import { sameHash } from '../identity/token.ts'
import { assistantConnections, connectionIdOf, type Safety } from '../workspaces/assistant-connection.ts'
import { type Member, members, type Workspace, workspaces } from '../workspaces/workspace.ts'
import { resourceOf } from './resource.ts'
import { readConnectionToken } from './token.ts'

/** An assistant whose token is valid, and for whom it acts. */
export interface VerifiedAssistant {
  connectionId: string
  userId: string
  workspaceId: string
  scopes: readonly Scope[]
  clientId: string
  clientName: string
  safety: Safety
  /** In seconds since 1970. */
  expiresAt: number
  role: Member['role']
  workspace: Workspace
  member: Member
  /** The write that records the use of the connection. It runs in parallel with the call; await it before the response. */
  noted: Promise<void>
}

export type AssistantRefusal =
  /** No token of this resource, or one that is expired or revoked: authorize again. */
  | { reason: 'invalid_token'; status: 401; message: string }
  | { reason: 'membership_suspended' | 'assistants_disabled'; status: 403; message: string }
  | { reason: 'rate_limit_exceeded'; status: 429; message: string; retryAfterSeconds: number }

export type Verification = { ok: true; assistant: VerifiedAssistant } | { ok: false; refusal: AssistantRefusal }

const refuse = (refusal: AssistantRefusal): Verification => ({ ok: false, refusal })

const invalid = refuse({
  reason: 'invalid_token',
  status: 401,
  message: 'The access token is missing, unknown, expired, or revoked. Authorize again.',
})

/**
 * Verifies the access token of an assistant. One read returns the connection, the membership, and the workspace; the
 * call is counted in parallel. A session token and a personal access token are refused: they are not tokens of this
 * resource. The function needs `table:read`, `count`, and `token-keys`.
 */
export const verifyAssistant = async (
  ctx: Context,
  bearer: string | undefined,
  path: string,
): Promise<Verification> => {
  const parts = bearer === undefined ? undefined : await readConnectionToken(ctx, 'oat', bearer)
  if (parts === undefined) return invalid
  const { userId, workspaceId } = parts
  // Uses are stored under the ID of the token within its person; a connection has an ID of another length.
  const [rows, counted] = await Promise.all([
    batchGet(ctx, [
      assistantConnections.key(parts),
      workspaces.key({ id: workspaceId }),
      members.key({ workspaceId, userId }),
      tokenUses.key(parts),
    ]),
    countPerson({ ctx, contract: { path } }, userId),
  ])
  if (counted?.state?.passes === false) {
    const { retryAfterSeconds } = counted.state
    const message = `Too many calls. Retry after ${retryAfterSeconds} s.`
    return refuse({ reason: 'rate_limit_exceeded', status: 429, message, retryAfterSeconds })
  }
  const connection = assistantConnections.from(rows, parts)
  const token = connection?.access.find(({ hash }) => sameHash(hash, parts.hash))
  if (connection === undefined || token === undefined || token.expiresAtMs <= ctx.clock.now()) return invalid
  if (connection.audience !== resourceOf(ctx)) return invalid
  const workspace = workspaces.from(rows, { id: workspaceId })
  const member = members.from(rows, { workspaceId, userId })
  if (workspace === undefined || member === undefined) return invalid
  // It was allowed for an earlier membership, in the moment in which that ended.
  if (connection.createdAt < member.createdAt) return invalid
  if (member.status === 'suspended') {
    const message = 'You are suspended in this workspace. Ask its owner.'
    return refuse({ reason: 'membership_suspended', status: 403, message })
  }
  if (workspace.assistantsEnabled === false) {
    const message = 'The owner of this workspace has switched assistants off.'
    return refuse({ reason: 'assistants_disabled', status: 403, message })
  }
  const { clientId, clientName, safety } = connection
  return {
    ok: true,
    assistant: {
      userId,
      workspaceId,
      clientId,
      clientName,
      safety,
      workspace,
      member,
      connectionId: connectionIdOf(connection),
      // Scopes were parsed when the connection was allowed.
      scopes: token.scopes as readonly Scope[],
      expiresAt: Math.floor(token.expiresAtMs / 1000),
      role: member.role,
      noted: recordUse(ctx, rows, parts),
    },
  }
}
