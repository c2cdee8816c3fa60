import { ProtocolError, Server, type ServerContext } from '@modelcontextprotocol/server'
import type { VerifiedCaller } from '../access/in-process.ts'
import type { Context } from '../context.ts'
import { callTool } from './call-tool.ts'
import { askFirst } from './confirm.ts'
import { readTools } from './files.ts'
import { instructions } from './instructions.ts'
import { getPrompt, listPrompts } from './prompts.ts'
import { listResources, readResource } from './resources.ts'
import type { Tool, Tools } from './tool.ts'

/** A request of an assistant who was verified. */
export interface AssistantRequest {
  ctx: Context
  caller: VerifiedCaller
  tools: Tools
}

const invalidParams = -32602

/** Lists depend on the scopes of the connection: nobody else may keep them. */
const cached = { ttlMs: 300_000, cacheScope: 'private' } as const

/** Whether the connection has a scope of the tool. A tool without a scope is for all. */
const isGranted = ({ endpoint }: Tool, { principal: { scopes } }: VerifiedCaller): boolean => {
  const { access } = endpoint.contract
  if (access.kind === 'anyone') return true
  const enough = [access.scope, access.kind === 'workspace' ? access.orScope : undefined]
  return scopes.some((scope) => enough.includes(scope))
}

const listTools = async ({ ctx, caller, tools }: AssistantRequest) => {
  const entries = await readTools(ctx)
  const granted = entries.filter(({ name }) => tools[name] !== undefined && isGranted(tools[name], caller))
  return { tools: granted.map(({ listed }) => listed) } as never
}

/**
 * The server of one request: state of one person never meets that of another. Decided: a tool without the scope is not
 * listed, and a call of it says which scope is missing.
 */
export const makeServer = (request: AssistantRequest, isModern: boolean): Server => {
  const { ctx, caller, tools } = request
  const server = new Server(
    { name: 'social-publishing', title: 'Social Publishing', version: '0.1.0' },
    {
      capabilities: {
        tools: { listChanged: false },
        resources: { listChanged: false, subscribe: false },
        prompts: { listChanged: false },
      },
      instructions,
      cacheHints: { 'tools/list': cached, 'resources/list': cached, 'prompts/list': cached },
    },
  )
  server.setRequestHandler('tools/list', () => listTools(request))
  server.setRequestHandler('tools/call', async ({ params }, context: ServerContext) => {
    const { name, arguments: sent = {} } = params
    const entry = (await readTools(ctx)).find((one) => one.name === name)
    const tool = entry && tools[entry.name]
    if (entry === undefined || tool === undefined)
      throw new ProtocolError(
        invalidParams,
        `There is no tool "${name.slice(0, 60)}". Call tools/list for the names of all tools.`,
      )
    const question = isGranted(tool, caller) ? tool.question?.(sent) : undefined
    return askFirst(server, context, isModern, question) ?? callTool({ ctx, caller, tools, tool, entry, sent })
  })
  server.setRequestHandler('resources/list', () => listResources(ctx))
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }))
  server.setRequestHandler('resources/read', ({ params }) => readResource(ctx, params.uri))
  server.setRequestHandler('prompts/list', () => listPrompts())
  server.setRequestHandler('prompts/get', ({ params }) => getPrompt(params.name, params.arguments))
  return server
}
