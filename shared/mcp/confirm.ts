import {
  type CallToolResult,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server'

const declined: CallToolResult = {
  isError: true,
  content: [
    { type: 'text', text: 'The person did not confirm. Nothing was changed. Ask them what they want instead.' },
  ],
}

/**
 * Asks the person before a call that nobody can take back, where their client can ask (MCP 2026-07-28, "Multi Round-Trip
 * Requests"). Earlier revisions would need a stream: there the client warns by itself, from the annotations of the tool.
 * Returns undefined if the call may go on.
 */
export const askFirst = (
  server: Server,
  { mcpReq }: ServerContext,
  isModern: boolean,
  question: string | undefined,
): CallToolResult | InputRequiredResult | undefined => {
  if (question === undefined || !isModern || server.getClientCapabilities()?.elicitation === undefined) return undefined
  const response = inputResponse(mcpReq.inputResponses, 'confirm')
  if (response.kind !== 'elicit') {
    const requestedSchema = {
      type: 'object' as const,
      properties: { confirm: { type: 'boolean' as const, title: 'Go ahead', default: false } },
      required: ['confirm'],
    }
    return inputRequired({ inputRequests: { confirm: inputRequired.elicit({ message: question, requestedSchema }) } })
  }
  return response.action === 'accept' && response.content?.['confirm'] === true ? undefined : declined
}
