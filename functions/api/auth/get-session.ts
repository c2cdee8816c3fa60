import * as z from 'zod/mini'
import { session } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { described } from '../../../shared/http/described.ts'
import { SessionView, sessionOf, userOf } from '../../../shared/identity/session.ts'
import { UserView, users } from '../../../shared/identity/user.ts'

export const handler = endpoint(
  {
    method: 'GET',
    path: '/api/auth/get-session',
    summary: 'Get the current session',
    description:
      'Returns the session that sends the request, and who is signed in. Use it to check a stored session token.',
    access: session,
    status: 200,
    data: z.object({
      session: SessionView,
      user: UserView,
      twoFactorEnabled: described(z.boolean(), 'Whether sign-in requires a code of a second factor.'),
    }),
    errors: [],
    needs: ['table:read'],
    limit: 'auth',
  },
  ({ principal, prefetched }) => {
    const current = sessionOf(principal)
    const twoFactorEnabled = users.from(prefetched, { id: current.userId })?.twoFactor === true
    return { session: current, user: userOf(current), twoFactorEnabled }
  },
)
