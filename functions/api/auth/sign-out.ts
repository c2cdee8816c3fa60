import * as z from 'zod/mini'
import { session } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { described } from '../../../shared/http/described.ts'
import { endSession } from '../../../shared/identity/open-session.ts'
import { sessionOf } from '../../../shared/identity/session.ts'

export const handler = endpoint(
  {
    method: 'POST',
    path: '/api/auth/sign-out',
    summary: 'Sign out',
    description:
      'Ends the session that sends the request. Its token is rejected from the next request on. Other sessions and personal access tokens stay valid.',
    access: session,
    status: 200,
    data: z.object({ signedOut: described(z.literal(true), 'Always true.') }),
    errors: [],
    needs: ['table:read', 'table:write'],
    limit: 'auth',
  },
  async ({ ctx, principal }) => {
    await endSession(ctx, sessionOf(principal))
    return { signedOut: true as const }
  },
)
