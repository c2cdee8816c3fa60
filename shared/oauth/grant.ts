import type { Actor } from '../audit/actor.ts'
import { commit } from '../commit/commit.ts'
import type { Context } from '../context.ts'
import { currentOrThrow } from '../db/condition-failed.ts'
import { absent, allOf, anyOf, atLeast, equal } from '../db/expression.ts'
import { Refusal } from '../errors/refusal.ts'
import { enqueueNotice, makeNotice, storeNotice } from '../identity/notice.ts'
import { inLine } from '../identity/notice-emails.ts'
import type { Scope } from '../identity/scope.ts'
import { personExists } from '../identity/user.ts'
import { logSecurity } from '../security-log.ts'
import { hourMs } from '../time.ts'
import {
  type AssistantConnection,
  assistantConnections,
  auditedConnection,
  connectionIdOf,
  type Safety,
} from '../workspaces/assistant-connection.ts'
import { countToken } from '../workspaces/count-token.ts'
import { workspaces } from '../workspaces/workspace.ts'
import type { AuthorizationRequest } from './authorization-request.ts'
import { hasDocument, hostOfClient, oauthClients } from './client.ts'
import { registrationMs } from './register-client.ts'
import { resourceOf } from './resource.ts'
import { scopeLabels } from './scopes.ts'
import { mintConnectionToken, newConnectionId } from './token.ts'

/** How long an authorization code is valid (RFC 6749, 4.1.2: at most ten minutes). */
const codeMs = 60_000

/** What a person chose on the consent page. */
export interface Consent {
  userId: string
  workspace: { id: string; name: string }
  scopes: readonly Scope[]
  safety: Safety
}

const notAllowed = () =>
  new Refusal('conflict', 'The workspace changed during the request: you left it, or assistants were switched off.', {
    code: 'concurrent_update',
  })

/** A client that is in use keeps its registration. */
const prolong = (ctx: Context, { client }: AuthorizationRequest) => {
  const expiresAtMs = ctx.clock.now() + registrationMs
  if (hasDocument(client.id) || expiresAtMs - client.expiresAtMs < hourMs) return []
  const set = { expiresAtMs, ttl: Math.ceil(expiresAtMs / 1000) }
  return [{ update: oauthClients.key(client), change: { set }, when: atLeast('expiresAtMs', client.expiresAtMs) }]
}

/** Allows the connection, and returns its authorization code. It is listed once the assistant has exchanged the code. */
export const grantConnection = async (
  ctx: Context,
  request: AuthorizationRequest,
  { userId, workspace, scopes, safety }: Consent,
  by: Actor,
): Promise<string> => {
  const nowMs = ctx.clock.now()
  const id = newConnectionId()
  const { id: workspaceId } = workspace
  const { token: code, hash } = await mintConnectionToken(ctx, 'oac', { userId, workspaceId, id })
  const { client, challenge, redirectUri } = request
  const row: AssistantConnection = {
    id,
    userId,
    workspaceId,
    safety,
    clientId: client.id,
    clientName: client.name,
    scopes: [...scopes],
    audience: resourceOf(ctx),
    code: { hash, challenge, redirectUri, expiresAtMs: nowMs + codeMs },
    access: [],
    refresh: [],
    version: 1,
    createdAt: new Date(nowMs).toISOString(),
    // Longer than the code: it is still known when it is replayed.
    expiresAtMs: nowMs + hourMs,
  }
  const notice = makeNotice(ctx, userId, 'assistant-connected', {
    facts: {
      assistant: inLine(client.name),
      host: hostOfClient(client.id) ?? '',
      workspace: inLine(workspace.name),
      workspaceId,
      allowed: scopes.map((scope) => scopeLabels[scope]).join('\n'),
    },
  })
  const writes = [
    storeNotice(notice),
    { put: assistantConnections.item(row), when: absent('PK') },
    countToken({ workspaceId, userId }),
    {
      check: workspaces.key({ id: workspaceId }),
      when: allOf(equal('id', workspaceId), anyOf(absent('assistantsEnabled'), equal('assistantsEnabled', true))),
    },
    personExists(userId),
    ...prolong(ctx, request),
  ]
  const audit = {
    by,
    action: 'connection.granted',
    target: { type: 'connection', id: connectionIdOf(row) },
    after: auditedConnection(row),
  } as const
  await currentOrThrow(commit(ctx, workspace, { writes, audit }), notAllowed)
  logSecurity(ctx, 'assistant_connected', { userId, workspaceId, targetConnectionId: connectionIdOf(row) })
  await enqueueNotice(ctx, notice)
  return code
}
