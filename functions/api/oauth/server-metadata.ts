import { serverMetadata } from '../../../shared/oauth/metadata.ts'
import { protocolEndpoint } from '../../../shared/oauth/protocol-endpoint.ts'

export const handler = protocolEndpoint(
  {
    method: 'GET',
    path: '/.well-known/oauth-authorization-server',
    summary: 'Get the metadata of the authorization server',
    status: 200,
    needs: [],
    limit: 'none',
  },
  ({ ctx }) => serverMetadata(ctx),
)
