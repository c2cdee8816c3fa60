import * as z from 'zod/mini'
import { session } from '../../../shared/http/contract.ts'
import { endpoint } from '../../../shared/http/endpoint.ts'
import { AccessTokenView, viewAccessToken } from '../../../shared/identity/access-token.ts'
import { listAccessTokens } from '../../../shared/identity/list-access-tokens.ts'

export const handler = endpoint(
  {
    method: 'GET',
    path: '/api/cli/tokens',
    summary: 'List your personal access tokens',
    access: session,
    status: 200,
    data: z.array(AccessTokenView),
    refuses: [],
    needs: ['table:read'],
  },
  async ({ ctx, principal }) => (await listAccessTokens(ctx, principal.userId)).map(viewAccessToken),
)
