import * as z from 'zod/mini'
import { workspaceOwner } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { applicationKeys, findApplication } from '../../../shared/applications/application.ts'
import { actorOf } from '../../../shared/audit/actor.ts'
import { Deleted } from '../../../shared/http/deleted.ts'
import { described } from '../../../shared/http/described.ts'
import { revokeAccessToken, revokedKeys } from '../../../shared/identity/revoke-access-token.ts'

export const handler = endpoint(
  {
    method: 'DELETE',
    path: '/api/application/tokens/{id}',
    summary: 'Revoke a token of the application',
    description: 'Ends a token immediately. It stays in the list for 30 days, with `revokedAt`.',
    access: workspaceOwner,
    params: z.object({ id: described(z.string(), 'The ID of the token, as the list shows it.') }),
    status: 200,
    data: Deleted,
    errors: ['application_not_found', 'token_not_found'],
    needs: ['table:read', 'table:write'],
    prefetch: (known) => [...applicationKeys(known), ...revokedKeys(known)],
  },
  async (call) => {
    const { ctx, workspace, prefetched, params } = call
    const { id: userId } = findApplication(prefetched, workspace.id)
    await revokeAccessToken(ctx, prefetched, { userId, publicId: params.id }, actorOf(call))
    return { id: params.id, deleted: true as const }
  },
)
