import { anyone } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { serveMcp } from '../../../shared/mcp/serve.ts'
import { gateNeeds, needsOfTools } from '../../../shared/mcp/tool.ts'
import { inlineBody } from '../../../shared/media/create-request.ts'
import { resourcePath } from '../../../shared/oauth/resource.ts'
import { wholeProcessorMb } from '../../../shared/resources.ts'
import { tools } from '../../tools.ts'

export const handler = endpoint(
  {
    method: 'POST',
    path: resourcePath,
    summary: 'Call the MCP server',
    // The token of an assistant belongs to another protocol, which also counts the call for its person.
    access: anyone,
    limit: 'none',
    status: 200,
    errors: [],
    needs: [...new Set([...gateNeeds, ...needsOfTools(tools)])],
    // A tool takes the bytes of a file.
    largeBody: inlineBody,
    memoryMb: wholeProcessorMb,
  },
  (call) => serveMcp(call, { tools, maxBodyBytes: inlineBody.maxBytes }),
)
