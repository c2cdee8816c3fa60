import { protocolEndpoint } from '../../../shared/oauth/protocol-endpoint.ts'
import { registerClient } from '../../../shared/oauth/register-client.ts'

export const handler = protocolEndpoint(
  {
    method: 'POST',
    path: '/api/oauth/register',
    summary: 'Register a public client',
    status: 201,
    needs: ['table:write'],
    limit: 'cli',
  },
  ({ ctx, body }) => registerClient(ctx, body),
)
