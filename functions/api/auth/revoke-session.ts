import { session } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { Deleted } from '../../../shared/http/deleted.ts'
import { idPath } from '../../../shared/http/id.ts'
import { revokeSession } from '../../../shared/identity/revoke-session.ts'
import { sessionOf } from '../../../shared/identity/session.ts'

export const handler = endpoint(
  {
    method: 'DELETE',
    path: '/api/auth/sessions/{id}',
    summary: 'Revoke a session',
    description: 'You can revoke the session that sends the request. Its token is rejected from the next call on.',
    access: session,
    params: idPath('The ID of the session.'),
    status: 200,
    data: Deleted,
    errors: ['session_not_found'],
    needs: ['table:read', 'table:write'],
    limit: 'auth',
  },
  async ({ ctx, principal, params }) => {
    await revokeSession(ctx, sessionOf(principal), params.id)
    return { id: params.id, deleted: true as const }
  },
)
