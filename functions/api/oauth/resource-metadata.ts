import { resourceMetadata } from '../../../shared/oauth/metadata.ts'
import { protocolEndpoint } from '../../../shared/oauth/protocol-endpoint.ts'

export const handler = protocolEndpoint(
  {
    method: 'GET',
    path: '/.well-known/oauth-protected-resource/api/mcp',
    summary: 'Get the metadata of the MCP server',
    status: 200,
    needs: [],
    limit: 'none',
  },
  ({ ctx }) => resourceMetadata(ctx),
)
