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
    description: 'When a token was last used is known to the day.',
    access: session,
    status: 200,
    data: z.array(AccessTokenView),
    errors: [],
    needs: ['table:read'],
  },
  ({ ctx, principal }) => showAccessTokens(ctx, principal.userId),
)
