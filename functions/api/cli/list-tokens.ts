import * as z from 'zod/mini'
import { session } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { AccessTokenView } from '../../../shared/identity/access-token.ts'
import { showAccessTokens } from '../../../shared/identity/list-access-tokens.ts'

export const handler = endpoint(
  {
    method: 'GET',
    path: '/api/cli/tokens',
    summary: 'List your personal access tokens',
    description: 'The time of last use has a precision of one day.',
    access: session,
    status: 200,
    data: z.array(AccessTokenView),
    errors: [],
    needs: ['table:read'],
  },
  ({ ctx, principal }) => showAccessTokens(ctx, principal.userId),
)
