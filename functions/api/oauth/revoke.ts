import { formOf, protocolEndpoint } from '../../../shared/oauth/protocol-endpoint.ts'
import { revokeToken } from '../../../shared/oauth/revoke.ts'

export const handler = protocolEndpoint(
  {
    method: 'POST',
    path: '/api/oauth/revoke',
    summary: 'Revoke the connection of a token',
    status: 200,
    needs: ['table:read', 'table:write', 'token-keys'],
    limit: 'provider',
  },
  async (call) => {
    const { client_id: clientId, token = '' } = formOf(call)
    await revokeToken(call.ctx, clientId, token)
    return undefined
  },
)
