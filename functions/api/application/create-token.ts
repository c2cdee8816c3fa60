import * as z from 'zod/mini'
import { workspaceOwner } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { applicationKeys, countApplicationToken, findApplication } from '../../../shared/applications/application.ts'
import { NewApplicationToken } from '../../../shared/applications/token.ts'
import { actorOf } from '../../../shared/audit/actor.ts'
import { sessionOf } from '../../../shared/identity/session.ts'
import { assertTokenQuota } from '../../../shared/identity/token-quota.ts'
import { CreateAccessToken, createAccessToken } from '../../../shared/workspaces/create-access-token.ts'

export const handler = endpoint(
  {
    method: 'POST',
    path: '/api/application/tokens',
    summary: 'Create a token of the application',
    description:
      'For your backend. The token creates, changes, and deletes child workspaces, and acts in them by `X-Workspace-Id`; in the workspace of the application it reads the application, the event log, and manages webhook endpoints. It is shown once, and expires after a year, or after `expiresInDays`; null means never.',
    access: workspaceOwner,
    body: z.pick(CreateAccessToken, { name: true, expiresInDays: true }),
    status: 201,
    data: NewApplicationToken,
    errors: ['application_not_found', 'quota_exceeded', 'concurrent_update', 'not_a_member'],
    needs: ['table:read', 'table:write', 'token-keys', 'queue:drain'],
    prefetch: applicationKeys,
    secret: true,
  },
  async (call) => {
    const { ctx, principal, workspace, body, prefetched } = call
    const application = findApplication(prefetched, workspace.id)
    const { id } = application
    const { userId: notified } = sessionOf(principal)
    await assertTokenQuota(ctx, id)
    const owner = { kind: 'app', notified, count: countApplicationToken(application) } as const
    const request = { ...body, workspaceId: workspace.id, scopes: ['*'], owner }
    return createAccessToken(ctx, id, request, actorOf(call))
  },
)
