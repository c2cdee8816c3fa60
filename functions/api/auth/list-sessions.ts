import * as z from 'zod/mini'
import { session } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { pageOf, pageQuery } from '../../../shared/http/page.ts'
import { ListedSession, listSessions } from '../../../shared/identity/list-sessions.ts'
import { sessionOf } from '../../../shared/identity/session.ts'

export const handler = endpoint(
  {
    method: 'GET',
    path: '/api/auth/sessions',
    summary: 'List your sessions',
    description: 'Newest first. `current` marks the session that sends the request. Ended sessions are not listed.',
    access: session,
    query: z.strictObject(pageQuery),
    status: 200,
    data: pageOf(ListedSession),
    errors: [],
    needs: ['table:read'],
    limit: 'auth',
  },
  ({ ctx, principal, query }) => listSessions(ctx, sessionOf(principal), query),
)
