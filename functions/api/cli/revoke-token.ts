import * as z from 'zod/mini'
import { session } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { actorOf } from '../../../shared/audit/actor.ts'
import { Deleted } from '../../../shared/http/deleted.ts'
import { described } from '../../../shared/http/described.ts'
import { revokeAccessToken, revokedKeys } from '../../../shared/identity/revoke-access-token.ts'

export const handler = endpoint(
  {
    method: 'DELETE',
    path: '/api/cli/tokens/{id}',
    summary: 'Revoke a personal access token',
    description: 'Ends a token immediately. It stays in the list for 30 days, with `revokedAt`.',
    access: session,
    params: z.object({ id: described(z.string(), 'The ID of the token, as the list shows it.') }),
    status: 200,
    data: Deleted,
    errors: ['token_not_found'],
    needs: ['table:read', 'table:write'],
    prefetch: revokedKeys,
  },
  async (call) => {
    const { ctx, prefetched, principal, params } = call
    await revokeAccessToken(ctx, prefetched, { userId: principal.userId, publicId: params.id }, actorOf(call))
    return { id: params.id, deleted: true as const }
  },
)
