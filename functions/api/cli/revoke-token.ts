import * as z from 'zod/mini'
import { session } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { Deleted } from '../../../shared/http/deleted.ts'
import { revokeAccessToken } from '../../../shared/identity/revoke-access-token.ts'

export const handler = endpoint(
  {
    method: 'DELETE',
    path: '/api/cli/tokens/{id}',
    summary: 'Revoke a personal access token',
    access: session,
    params: z.object({ id: z.string() }),
    status: 200,
    data: Deleted,
    errors: ['token_not_found'],
    needs: ['table:read', 'table:write'],
  },
  async ({ ctx, principal, params }) => {
    await revokeAccessToken(ctx, principal.userId, params.id)
    return { id: params.id, deleted: true as const }
  },
)
