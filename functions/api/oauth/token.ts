import { exchange } from '../../../shared/oauth/exchange.ts'
import { formOf, protocolEndpoint } from '../../../shared/oauth/protocol-endpoint.ts'

export const handler = protocolEndpoint(
  {
    method: 'POST',
    path: '/api/oauth/token',
    summary: 'Exchange an authorization code or a refresh token',
    status: 200,
    needs: ['table:read', 'table:write', 'token-keys'],
    // Hosted assistants call for all their people from a few addresses.
    limit: 'provider',
  },
  (call) => exchange(call.ctx, formOf(call)),
)
