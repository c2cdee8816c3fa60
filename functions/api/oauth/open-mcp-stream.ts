import { anyone } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { methodNotAllowed } from '../../../shared/mcp/gate.ts'
import { gateNeeds } from '../../../shared/mcp/tool.ts'
import { resourcePath } from '../../../shared/oauth/resource.ts'

export const handler = endpoint(
  {
    method: 'GET',
    path: resourcePath,
    summary: 'Respond to a client that asks for a stream of events',
    access: anyone,
    limit: 'none',
    status: 200,
    errors: [],
    needs: gateNeeds,
  },
  methodNotAllowed,
)
