import { resourceMetadata } from '../../../shared/oauth/metadata.ts'
import { protocolEndpoint } from '../../../shared/oauth/protocol-endpoint.ts'

export const handler = protocolEndpoint(
  {
    method: 'GET',
    path: '/.well-known/oauth-protected-resource',
    summary: 'Get the metadata of the only resource of the host',
    status: 200,
    needs: [],
    limit: 'none',
  },
  ({ ctx }) => resourceMetadata(ctx),
)
