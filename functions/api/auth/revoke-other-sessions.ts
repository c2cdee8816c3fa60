import * as z from 'zod/mini'
import { session } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { described } from '../../../shared/http/described.ts'
import { revokeOtherSessions } from '../../../shared/identity/revoke-session.ts'
import { sessionOf } from '../../../shared/identity/session.ts'

export const handler = endpoint(
  {
    method: 'POST',
    path: '/api/auth/sessions/revoke-others',
    summary: 'Revoke all other sessions',
    description: 'Signs you out everywhere but here. Personal access tokens stay valid.',
    access: session,
    status: 200,
    data: z.object({ othersRevoked: described(z.literal(true), 'Always true.') }),
    errors: ['concurrent_update'],
    needs: ['table:read', 'table:write'],
    limit: 'auth',
  },
  async ({ ctx, principal }) => {
    await revokeOtherSessions(ctx, sessionOf(principal))
    return { othersRevoked: true as const }
  },
)
